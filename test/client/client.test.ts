import assert from 'node:assert/strict';
import {
  AnswerHeaders,
  ConnectionError,
  Payments,
  PaymentsError,
  ProblemError,
  TimeoutError,
  TokenError,
  type ClientOptions,
  type ReceivedAnswer,
  type SentRequest,
} from '#client/src/index.ts';
import { standardBackoff, waitMs } from '#client/src/retries.ts';
import { calls } from './faults/cases.ts';
import { startFaultServer, type FaultServer, type Planned } from './faults/server.ts';

const charged: Planned = { status: 201, example: 'createCharge' };
const read: Planned = { status: 200, example: 'getCharge' };
const page = (cursor: string | null): Planned => ({
  status: 200,
  example: 'listCharges',
  with: { has_more: cursor !== null, next_cursor: cursor },
});

describe('The client', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
  });
  after(() => server.stop());

  const connect = (options: Partial<ClientOptions> = {}): Payments =>
    new Payments({
      baseUrl: server.url,
      clientId: 'cl_1',
      clientSecret: 'secret:with/signs',
      backoff: { baseMs: 1, capMs: 10 },
      timeout: 5_000,
      ...options,
    });
  const sent = (name: string) => server.seen().requests.map(({ headers }) => headers[name]);

  it('says what its options lack', () => {
    const sound = { baseUrl: server.url, accessToken: 'token' };
    assert.throws(
      () => new Payments({ ...sound, baseUrl: 'localhost:3000' }),
      /^PaymentsError: baseUrl must/,
    );
    const empty = { baseUrl: server.url, clientId: '', clientSecret: '' };
    assert.throws(() => new Payments(empty), /needs clientId and clientSecret/);
  });

  describe('its keys', () => {
    it('are made for every POST, a new one each', async () => {
      server.play(charged, charged);
      const client = connect();
      await client.charges.create(calls.newCharge);
      await client.charges.create(calls.newCharge);
      const [first, second] = sent('idempotency-key');
      for (const key of [first, second]) assert.match(key ?? '', /^[\da-f]{8}-[\da-f-]{27}$/);
      assert.notEqual(first, second);
    });

    it('are the caller’s where there is one', async () => {
      server.play(charged);
      await connect().charges.create(calls.newCharge, { idempotencyKey: 'order-6735' });
      assert.deepEqual(sent('idempotency-key'), ['order-6735']);
    });

    it('are what makes a POST safe to repeat', async () => {
      server.play('cut', charged);
      const failed = connect().charges.create(calls.newCharge, { idempotencyKey: null });
      await assert.rejects(failed, ConnectionError);
      assert.equal(server.seen().requests.length, 1);
    });
  });

  describe('its retries', () => {
    it('back off exponentially with full jitter and a cap', () => {
      const bounds = [0, 1, 2, 3, 10].map((attempt) => waitMs(standardBackoff, attempt, null, () => 1));
      assert.deepEqual(bounds, [200, 400, 800, 1600, 8000]);
      const waits = Array.from({ length: 500 }, () => waitMs(standardBackoff, 2, null) ?? -1);
      assert.ok(Math.min(...waits) < 80 && Math.max(...waits) > 720 && Math.max(...waits) <= 800);
    });

    it('end when the caller gives up', async () => {
      server.play({ status: 503, problem: 'service_unavailable', headers: { 'Retry-After': '30' } });
      const giveUp = new AbortController();
      const failed = connect().charges.create(calls.newCharge, { signal: giveUp.signal });
      setTimeout(() => giveUp.abort(new Error('enough')), 100);
      await assert.rejects(failed, /enough/);
    });

    it('are as many as the call says', async () => {
      server.play(...Array.from({ length: 3 }, (): Planned => ({ status: 500, problem: 'internal_error' })));
      const failed = connect({ maxRetries: 5 }).charges.create(calls.newCharge, { maxRetries: 1 });
      await assert.rejects(failed, { name: 'ServiceError', status: 500 });
      assert.equal(server.seen().requests.length, 2);
    });

    it('say why a connection failed', async () => {
      server.play('cut');
      const failed = connect({ maxRetries: 0 }).charges.create(calls.newCharge);
      await assert.rejects(failed, (error: Error) => error.cause instanceof Error);
    });
  });

  describe('its token', () => {
    it('is taken once and shared by all', async () => {
      server.play(...Array.from({ length: 10 }, () => read));
      const client = connect();
      await Promise.all(Array.from({ length: 10 }, () => client.charges.get(calls.charge)));
      assert.deepEqual([server.seen().tokens, new Set(sent('authorization')).size], [1, 1]);
    });

    it('is requested with credentials encoded as RFC 6749 says', async () => {
      const requests: Request[] = [];
      const fetch: typeof globalThis.fetch = async (url, init) => {
        requests.push(new Request(url, init));
        return Response.json({ error: 'invalid_client', error_description: 'No.' }, { status: 401 });
      };
      const failed = connect({ fetch }).charges.get(calls.charge);
      await assert.rejects(failed, (error) => error instanceof TokenError && error.code === 'invalid_client');
      const encoded = requests[0]!.headers.get('authorization')!.replace('Basic ', '');
      assert.equal(Buffer.from(encoded, 'base64').toString(), 'cl_1:secret%3Awith%2Fsigns');
      assert.equal(await requests[0]!.text(), 'grant_type=client_credentials');
    });

    it('can be given, or asked for each time', async () => {
      server.play(read, read);
      await new Payments({ baseUrl: server.url, accessToken: 'given' }).charges.get(calls.charge);
      const accessToken = () => Promise.resolve('asked for');
      await new Payments({ baseUrl: `${server.url}/`, accessToken }).charges.get(calls.charge);
      assert.deepEqual(sent('authorization'), ['Bearer given', 'Bearer asked for']);
    });
  });

  describe('its requests', () => {
    it('are in its types’ version, at the operation’s address', async () => {
      server.play(page(null), charged);
      const client = connect();
      const query = { limit: 5, status: 'failed', 'created[gt]': '2026-11-01T00:00:00Z' } as const;
      await client.charges.list(query).page();
      await client.charges.capture('ch/1', {}, { apiVersion: '2026-05-01' });
      const [first, second] = server.seen().requests;
      assert.equal(first?.path, '/v1/charges');
      assert.deepEqual(first?.query, { ...query, limit: '5' });
      assert.deepEqual([second?.path, second?.body], ['/v1/charges/ch%2F1:capture', '{}']);
      assert.deepEqual(sent('api-version'), ['2026-11-01', '2026-05-01']);
    });

    it('are of the type that the operation takes', async () => {
      server.play({ status: 200, example: 'updateCustomer' });
      const options = { ifMatch: '"7"', headers: { traceparent: 'so' } };
      await connect().customers.update(calls.customer, { name: null }, options);
      const [request] = server.seen().requests;
      assert.deepEqual([request?.method, request?.body], ['PATCH', '{"name":null}']);
      const names = ['content-type', 'if-match', 'traceparent'];
      assert.deepEqual(
        names.map((name) => request?.headers[name]),
        ['application/merge-patch+json', '"7"', 'so'],
      );
    });

    it('do not compile when they differ from the document', () => {
      const client = connect();
      const never = () => [
        // @ts-expect-error There is no such member.
        client.charges.create({ ...calls.newCharge, amonut: 1 }),
        // @ts-expect-error It is required.
        client.charges.create({ amount: 1, payment_method: 'tok_visa' }),
        // @ts-expect-error There is no such currency.
        client.charges.create({ ...calls.newCharge, currency: 'EURO' }),
        // @ts-expect-error A change names what it saw.
        client.customers.update(calls.customer, {}),
        // @ts-expect-error There is no such status.
        client.charges.list({ status: 'paid' }),
        // @ts-expect-error Answers hold no such member.
        client.charges.get(calls.charge).then(({ failure_code }) => failure_code),
      ];
      assert.equal(typeof never, 'function');
    });

    it('may be any request, sent as it is', async () => {
      server.play({ status: 422, problem: 'validation_failed' });
      const options = { body: '{"amount":', idempotencyKey: null, query: { a: undefined, b: 1 } };
      const failed = connect().request('POST', '/v1/charges', options);
      await assert.rejects(failed, (error) => {
        assert.ok(error instanceof ProblemError);
        assert.match(error.answer.text, /^\{"type":"https/);
        return true;
      });
      const [request] = server.seen().requests;
      assert.deepEqual([request?.body, request?.query], ['{"amount":', { b: '1' }]);
      assert.deepEqual([...sent('idempotency-key'), ...sent('api-version')], [undefined, undefined]);
    });
  });

  describe('its answers', () => {
    it('have their status and headers, by name and type', async () => {
      const headers = {
        ETag: '"7"',
        Location: '/v1/charges/ch_1',
        'Idempotent-Replayed': 'true',
        'RateLimit-Limit': '200',
        'RateLimit-Remaining': '199',
        'RateLimit-Reset': '1',
        'Last-Modified': 'Sun, 01 Nov 2026 12:00:00 GMT',
      };
      server.play({ ...charged, headers });
      const { status, headers: told, body } = await connect().charges.create(calls.newCharge).answer();
      assert.deepEqual([status, body.object, told.etag, told.isReplay], [201, 'charge', '"7"', true]);
      assert.deepEqual(told.rateLimit, { limit: 200, remaining: 199, resetSeconds: 1 });
      assert.equal(told.lastModified?.toISOString(), '2026-11-01T12:00:00.000Z');
      assert.match(told.traceId ?? '', /^[\da-f]{32}$/);
      assert.deepEqual([told.location, told.get('etag'), told.sunset], ['/v1/charges/ch_1', '"7"', null]);
    });

    it('fail once, whichever way they are asked for', async () => {
      const failures: unknown[] = [];
      const note = (error: unknown) => void failures.push(error);
      process.on('unhandledRejection', note);
      server.play({ status: 404, problem: 'not_found' });
      await assert.rejects(connect().charges.get(calls.charge).answer(), { status: 404 });
      await new Promise((resolve) => setImmediate(resolve));
      process.off('unhandledRejection', note);
      assert.deepEqual(failures, []);
    });

    it('have members for absent headers too', () => {
      const { etag, rateLimit, retryAfterMs, traceId, isReplay } = new AnswerHeaders();
      assert.deepEqual([etag, rateLimit, retryAfterMs, traceId, isReplay], [null, null, null, null, false]);
    });

    it('say so where something else than the service answered', async () => {
      server.play({ status: 400, body: { message: 'blocked' } });
      const failed = connect().charges.create(calls.newCharge);
      await assert.rejects(failed, { name: 'InvalidRequestError', status: 400, code: null, problem: null });
    });
  });

  describe('its hooks', () => {
    it('hear every attempt, without the token', async () => {
      const heard: string[] = [];
      const onRequest = ({ method, attempt, headers }: SentRequest) => {
        heard.push(`${method} ${attempt}`);
        assert.equal(headers.get('authorization'), null);
      };
      const onAnswer = ({ status, error, durationMs }: ReceivedAnswer) => {
        heard.push(`${status} ${error?.name ?? 'answered'}`);
        assert.ok(durationMs >= 0);
      };
      server.play('cut', { status: 503, problem: 'service_unavailable' }, read);
      const client = new Payments({
        baseUrl: server.url,
        accessToken: 't',
        backoff: { baseMs: 1 },
        onRequest,
        onAnswer,
      });
      await client.charges.get(calls.charge);
      assert.deepEqual(heard, [
        'GET 0',
        'null ConnectionError',
        'GET 1',
        '503 answered',
        'GET 2',
        '200 answered',
      ]);
    });

    it('may add headers to a request', async () => {
      server.play(read);
      const onRequest = ({ headers }: SentRequest) => headers.set('traceparent', 'mine');
      await connect({ accessToken: 't', onRequest }).charges.get(calls.charge);
      assert.deepEqual(sent('traceparent'), ['mine']);
    });
  });

  describe('its lists', () => {
    it('ask for no page that nobody reads', async () => {
      server.play(page('2'), page('3'));
      const charges = connect().charges.list({ limit: 1 });
      assert.equal((await charges.toArray({ limit: 2 })).length, 2);
      const asked = server.seen().requests.map(({ query }) => query);
      assert.deepEqual(asked, [{ limit: '1' }, { limit: '1', starting_after: '2' }]);
    });

    it('begin where the caller says', async () => {
      server.play(page('4'));
      const first = await connect().charges.list({ starting_after: '3' }).page();
      assert.deepEqual([first.next_cursor, server.seen().requests[0]?.query], ['4', { starting_after: '3' }]);
    });
  });

  describe('its waiting', () => {
    it('tells each state, and ends by its limit', async () => {
      const running: Planned = { status: 200, operation: 'running', headers: { 'Retry-After': '1' } };
      server.play(running);
      const states: string[] = [];
      const onProgress = ({ status }: { status: string }) => void states.push(status);
      const waiting = connect().operations.wait(calls.operation, { onProgress, maxWait: 300 });
      await assert.rejects(waiting, TimeoutError);
      assert.deepEqual(states, ['running']);
    });
  });

  describe('its downloads', () => {
    it('take a new link where theirs has expired', async () => {
      const done: Planned = { status: 200, operation: 'succeeded' };
      server.play(done, { status: 403, problem: 'link_expired' }, done, { file: 'whole' });
      const download = await connect().exports.download(calls.operation);
      assert.equal((await download.bytes()).length, download.size);
      assert.equal(server.seen().requests.length, 4);
    });

    it('skip what they have of a whole file', async () => {
      const done: Planned = { status: 200, operation: 'succeeded' };
      const whole: Planned = { file: 'whole', ignores_range: true };
      server.play(done, { file: 'whole', cut_after: 4_000 }, whole);
      const download = await connect().operations.result(calls.operation);
      assert.match(await download.text(), /^000000000\n000000001\n[^]*000009999\n$/);
    });

    it('pass a range on, as the service sends it', async () => {
      server.play({ file: 'whole' });
      const part = await connect().operations.resultPart(calls.operation, { range: 'bytes=99990-' });
      assert.deepEqual([part.status, await new Response(part.stream).text()], [206, '000009999\n']);
      assert.match(part.headers.get('content-range') ?? '', /^bytes 99990-99999\/100000$/);
      assert.equal(server.seen().requests.length, 1);
    });

    it('say that there is nothing to download', async () => {
      server.play({ status: 200, operation: 'running' });
      const failed = connect().exports.download(calls.operation);
      await assert.rejects(failed, /has no result: it is running/);
    });
  });

  it('has one kind of error for all that fails', () => {
    for (const Kind of [ProblemError, ConnectionError, TokenError])
      assert.ok(Kind.prototype instanceof PaymentsError);
  });
});
