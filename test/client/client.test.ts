import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionError, createClient, ProblemError, TokenError, type Client } from '#client/client.ts';
import { standardPolicy, waitMs, type RetryPolicy } from '#client/retries.ts';

/** What the receiver saw of one request. */
interface Seen {
  method: string;
  url: string;
  headers: Record<string, string | undefined>;
  body: string;
  at: number;
}

type Reply =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  /** The connection is cut. */
  | 'cut'
  /** Nothing is answered. */
  | 'silence';

const problem = (status: number, code: string) => ({ status, body: { code, detail: 'So.', trace_id: '0' } });
const charge = { status: 201, body: { id: 'ch_1', object: 'charge', status: 'succeeded' } };
const newCharge = { amount: 1000, currency: 'EUR', payment_method: 'tok_visa' } as const;

describe('The client', () => {
  let server: Server;
  let baseUrl: string;
  let replies: Reply[];
  let seen: Seen[];
  let tokens: number;
  let tokenReply: Reply | null;
  /** How long tokens live, in seconds. */
  let tokenLife: number;

  beforeEach(async () => {
    [replies, seen, tokens, tokenReply, tokenLife] = [[], [], 0, null, 600];
    server = createServer((req, res) => void receive(req, res));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = req;
    const body = await text(req);
    if (url === '/oauth2/token') return reply(res, tokenReply ?? nextToken());
    seen.push({ method, url, headers: headers as Seen['headers'], body, at: performance.now() });
    return reply(res, replies.shift() ?? charge);
  }

  function nextToken(): Reply {
    tokens += 1;
    return { status: 200, body: { access_token: `token-${tokens}`, expires_in: tokenLife } };
  }

  function reply(res: ServerResponse, answer: Reply): void {
    if (answer === 'silence') return;
    if (answer === 'cut') return void res.destroy();
    res.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    res.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
  }

  const connect = (policy: Partial<RetryPolicy> = {}, timeoutMs = 5_000): Client =>
    createClient({
      baseUrl,
      clientId: 'cl_1',
      clientSecret: 'secret:with/signs',
      policy: { baseMs: 1, capMs: 10, ...policy },
      timeoutMs,
    });
  const keys = () => seen.map(({ headers }) => headers['idempotency-key']);

  describe('its keys', () => {
    it('are made for every POST, a new one each', async () => {
      const client = connect();
      await client.createCharge({ body: newCharge });
      await client.createCharge({ body: newCharge });
      const [first, second] = keys();
      for (const key of [first, second]) assert.match(key ?? '', /^[\da-f]{8}-[\da-f-]{27}$/);
      assert.notEqual(first, second);
    });

    it('stay the same on every retry, like the body', async () => {
      replies = [problem(503, 'service_unavailable'), 'cut', problem(504, 'processor_timeout')];
      await connect().createCharge({ body: newCharge });
      assert.equal(seen.length, 4);
      assert.equal(new Set(keys()).size, 1);
      assert.deepEqual([...new Set(seen.map(({ body }) => body))], [JSON.stringify(newCharge)]);
    });

    it('are the caller’s where there is one', async () => {
      await connect().createCharge({ body: newCharge }, { idempotencyKey: 'order-6735' });
      assert.deepEqual(keys(), ['order-6735']);
    });

    it('are sent with POST requests only', async () => {
      await connect().getCharge({ params: { id: 'ch_1' } });
      assert.deepEqual(keys(), [undefined]);
    });
  });

  describe('its retries', () => {
    for (const [status, code] of [
      [409, 'idempotency_key_in_progress'],
      [429, 'rate_limited'],
      [502, 'processor_invalid_response'],
      [503, 'service_unavailable'],
      [503, 'outcome_unknown'],
      [504, 'processor_timeout'],
    ] as const) {
      it(`send again after ${status} ${code}`, async () => {
        replies = [problem(status, code)];
        const { body } = await connect().createCharge({ body: newCharge });
        assert.deepEqual([body.id, seen.length], ['ch_1', 2]);
      });
    }

    for (const [status, code] of [
      [400, 'malformed_request'],
      [402, 'card_declined'],
      [402, 'payment_voided'],
      [404, 'not_found'],
      [409, 'charge_already_refunded'],
      [409, 'charge_cancelled'],
      [422, 'validation_failed'],
      [500, 'internal_error'],
    ] as const) {
      it(`take ${status} ${code} for the answer`, async () => {
        replies = [problem(status, code)];
        await assert.rejects(connect().createCharge({ body: newCharge }), {
          name: 'ProblemError',
          status,
          code,
        });
        assert.equal(seen.length, 1);
      });
    }

    it('never repeat an answer that was replayed', async () => {
      const headers = { 'idempotent-replayed': 'true' };
      replies = [{ ...problem(409, 'idempotency_key_in_progress'), headers }];
      await assert.rejects(connect().createCharge({ body: newCharge }), { status: 409 });
      assert.equal(seen.length, 1);
    });

    it('send again after a lost connection and after silence', async () => {
      replies = ['cut', 'silence'];
      const { status } = await connect({}, 300).createCharge({ body: newCharge });
      assert.deepEqual([status, seen.length], [201, 3]);
    });

    it('are bounded: the last problem is thrown', async () => {
      replies = Array.from({ length: 9 }, () => problem(503, 'service_unavailable'));
      const failed = connect({ retries: 3 }).createCharge({ body: newCharge });
      await assert.rejects(failed, { code: 'service_unavailable' });
      assert.equal(seen.length, 4);
    });

    it('are bounded, and say why a connection failed', async () => {
      replies = Array.from({ length: 9 }, () => 'cut' as const);
      const failed = connect({ retries: 2 }).createCharge({ body: newCharge });
      await assert.rejects(
        failed,
        (error: Error) => error instanceof ConnectionError && error.cause instanceof Error,
      );
      assert.equal(seen.length, 3);
    });

    it('wait for Retry-After, in seconds or a date', async () => {
      replies = [{ ...problem(429, 'rate_limited'), headers: { 'retry-after': '1' } }];
      await connect().createCharge({ body: newCharge });
      assert.ok((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0) >= 990);
      const inTwoSeconds = new Date(Date.now() + 3_000).toUTCString();
      const wait = waitMs({ ...standardPolicy, random: () => 0 }, 0, outcome(inTwoSeconds));
      assert.ok(wait !== null && wait > 1_500 && wait <= 3_000, `${wait}`);
    });

    it('do not wait for longer than the policy’s patience', async () => {
      replies = [{ ...problem(429, 'rate_limited'), headers: { 'retry-after': '3600' } }];
      await assert.rejects(connect().createCharge({ body: newCharge }), { code: 'rate_limited' });
      assert.equal(seen.length, 1);
    });

    it('back off exponentially with full jitter and a cap', () => {
      const bounds = [0, 1, 2, 3, 10].map((attempt) =>
        waitMs({ ...standardPolicy, random: () => 1 }, attempt, null),
      );
      assert.deepEqual(bounds, [200, 400, 800, 1600, 8000]);
      const waits = Array.from({ length: 500 }, () => waitMs(standardPolicy, 2, null) ?? -1);
      assert.ok(Math.min(...waits) < 80 && Math.max(...waits) > 720 && Math.max(...waits) <= 800);
      assert.equal(waitMs({ ...standardPolicy, random: () => 0.5 }, 0, outcome('2')), 2_100);
    });

    it('spare a conditional write whose answer was lost', async () => {
      const client = connect();
      const change = () =>
        client.updateCustomer({
          params: { id: 'cus_1' },
          headers: { 'If-Match': '"1"' },
          body: { name: 'Ada' },
        });
      replies = ['cut'];
      await assert.rejects(change(), ConnectionError);
      replies = [problem(503, 'service_unavailable'), charge];
      await change();
      assert.equal(seen.length, 3);
    });

    it('end when the caller gives up', async () => {
      replies = [{ ...problem(503, 'service_unavailable'), headers: { 'retry-after': '30' } }];
      const giveUp = new AbortController();
      const failed = connect().createCharge({ body: newCharge }, { signal: giveUp.signal });
      setTimeout(() => giveUp.abort(new Error('enough')), 100);
      await assert.rejects(failed, /enough/);
    });
  });

  describe('its token', () => {
    const sent = () => seen.map(({ headers }) => headers['authorization']);

    it('is taken once and shared by all', async () => {
      const client = connect();
      await Promise.all(Array.from({ length: 10 }, () => client.getCharge({ params: { id: 'ch_1' } })));
      assert.deepEqual([tokens, new Set(sent())], [1, new Set(['Bearer token-1'])]);
    });

    it('is taken anew before it ends', async () => {
      tokenLife = 1;
      const client = connect();
      await client.getCharge({ params: { id: 'ch_1' } });
      await sleep(950);
      await client.getCharge({ params: { id: 'ch_1' } });
      assert.deepEqual(sent(), ['Bearer token-1', 'Bearer token-2']);
    });

    it('is renewed once when refused, under the same key', async () => {
      replies = [problem(401, 'invalid_token')];
      const { status } = await connect().createCharge({ body: newCharge });
      assert.deepEqual([status, tokens, new Set(keys()).size], [201, 2, 1]);
      replies = [problem(401, 'invalid_token'), problem(401, 'invalid_token')];
      await assert.rejects(connect().createCharge({ body: newCharge }), { code: 'invalid_token' });
    });

    it('is requested with credentials encoded as RFC 6749 says', async () => {
      tokenReply = { status: 401, body: { error: 'invalid_client', error_description: 'No.' } };
      server.once('request', (req: IncomingMessage) => {
        const encoded = (req.headers.authorization ?? '').replace('Basic ', '');
        assert.equal(Buffer.from(encoded, 'base64').toString(), 'cl_1:secret%3Awith%2Fsigns');
      });
      const failed = connect().createCharge({ body: newCharge });
      await assert.rejects(failed, (error) => error instanceof TokenError && error.code === 'invalid_client');
      assert.equal(seen.length, 0);
    });
  });

  describe('its requests', () => {
    it('are in its types’ version, at the operation’s address', async () => {
      await connect().listCharges({
        query: { limit: 5, status: 'failed', 'created[gt]': '2026-11-01T00:00:00Z' },
      });
      const [{ method, url, headers } = { method: '', url: '', headers: {} as Seen['headers'] }] = seen;
      assert.equal(method, 'GET');
      assert.equal(url, '/v1/charges?limit=5&status=failed&created%5Bgt%5D=2026-11-01T00%3A00%3A00Z');
      assert.equal(headers['api-version'], '2026-11-01');
      await connect().captureCharge({ params: { id: 'ch/1' } });
      assert.deepEqual([seen[1]?.url, seen[1]?.body], ['/v1/charges/ch%2F1:capture', '{}']);
    });

    it('are of the type that the operation takes', async () => {
      await connect().updateCustomer({
        params: { id: 'cus_1' },
        headers: { 'If-Match': '*' },
        body: { name: null },
      });
      assert.equal(seen[0]?.headers['content-type'], 'application/merge-patch+json');
      assert.equal(seen[0]?.headers['if-match'], '*');
    });

    it('do not compile when they differ from the document', () => {
      const client = connect();
      const never = () => [
        // @ts-expect-error There is no such member.
        client.createCharge({ body: { ...newCharge, amonut: 1 } }),
        // @ts-expect-error It is required.
        client.createCharge({ body: { amount: 1, payment_method: 'tok_visa' } }),
        // @ts-expect-error There is no such currency.
        client.createCharge({ body: { ...newCharge, currency: 'EURO' } }),
        // @ts-expect-error A change names what it saw.
        client.updateCustomer({ params: { id: 'cus_1' }, body: {} }),
        // @ts-expect-error Answers hold no such member.
        client.getCharge({ params: { id: 'ch_1' } }).then(({ body }) => body.failure_code),
      ];
      assert.equal(typeof never, 'function');
    });
  });

  describe('its failures', () => {
    it('carry the whole problem and the headers', async () => {
      const declined = { ...problem(402, 'card_declined').body, decline_code: 'lost_card', charge: 'ch_1' };
      replies = [{ status: 402, body: declined, headers: { 'trace-id': 'abc' } }];
      const error = await connect()
        .createCharge({ body: newCharge })
        .catch((thrown: unknown) => thrown);
      assert.ok(error instanceof ProblemError);
      assert.deepEqual([error.problem, error.headers.get('trace-id')], [declined, 'abc']);
    });

    it('say so where something else than the service answered', async () => {
      replies = [{ status: 400, body: { message: 'blocked' } }];
      const failed = connect().createCharge({ body: newCharge });
      await assert.rejects(failed, { status: 400, code: null, problem: null });
    });

    it('are answers like any other for `send`', async () => {
      replies = [problem(422, 'validation_failed')];
      const answer = await connect().send('POST', '/v1/charges', {
        body: '{"amount":',
        idempotencyKey: null,
      });
      assert.deepEqual([answer.status, seen[0]?.body, keys()], [422, '{"amount":', [undefined]]);
    });
  });
});

const outcome = (retryAfter: string) => ({
  status: 503,
  headers: new Headers({ 'retry-after': retryAfter }),
  body: null,
});
