import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { echoRoutes } from '../../support/echo-routes.ts';
import { sendRaw } from '../../support/stack/raw-http.ts';

interface Problem {
  code: string;
  detail: string;
  errors?: { pointer: string; code: string; detail: string }[];
}

describe('The body of a request', () => {
  let api: TestApi;
  let authorization: string;
  before(async () => {
    api = await startApi({ routes: echoRoutes });
    authorization = `Bearer ${await api.takeToken()}`;
  });
  after(() => api.stop());

  const send = (
    body: string | Buffer | undefined,
    headers: Record<string, string> = {},
    target: { method: string; path: string } = { method: 'POST', path: '/v1/things' },
  ) =>
    sendRaw(api.url, {
      ...target,
      headers: { authorization, 'idempotency-key': 'k', 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body }),
    });
  const refusal = async (...request: Parameters<typeof send>): Promise<[number, Problem]> => {
    const response = await send(...request);
    return [response.status, JSON.parse(response.text) as Problem];
  };

  it('reaches the route as its schema gives it', async () => {
    const response = await send('{"amount":1e2,"currency":"EUR","metadata":{"a":"\\ud83d\\ude00"}}');
    assert.equal(response.status, 201);
    assert.deepEqual(JSON.parse(response.text), {
      object: 'thing',
      body: { amount: 100, currency: 'EUR', metadata: { a: '😀' } },
      key: 'k',
    });
  });

  for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8', 'UTF8']) {
    it(`may be labelled with charset=${charset}`, async () => {
      const type = { 'content-type': `application/json; charset=${charset}` };
      assert.equal((await send('{"amount":1,"currency":"EUR"}', type)).status, 201);
    });
  }

  it('has all its faults reported at once, with pointers', async () => {
    const [status, problem] = await refusal(
      '{"amount":1.5,"currency":"XXX","kind":"tiny","label":"longer","tags":["a",3],"nested":{"on":1,"off":2},"metadata":{"a":1,"short":"x"},"x/y":1,"z":2}',
    );
    assert.deepEqual([status, problem.code], [422, 'validation_failed']);
    const byPointer = problem.errors?.toSorted((a, b) => (a.pointer < b.pointer ? -1 : 1));
    assert.deepEqual(byPointer, [
      {
        pointer: '/amount',
        code: 'not_a_whole_number',
        detail: 'must be a whole number, written without a fraction and below 2^53',
      },
      { pointer: '/currency', code: 'unknown_currency', detail: 'must be a currency' },
      { pointer: '/kind', code: 'invalid_value', detail: 'must be "big" or "small"' },
      { pointer: '/label', code: 'too_big', detail: 'must have at most 5 characters' },
      { pointer: '/metadata/a', code: 'invalid_type', detail: 'must be a string' },
      {
        pointer: '/metadata/short',
        code: 'invalid_name',
        detail: 'has a name that must have at most 4 characters',
      },
      { pointer: '/nested/off', code: 'unknown_member', detail: 'is not known here' },
      { pointer: '/nested/on', code: 'invalid_type', detail: 'must be true or false' },
      { pointer: '/tags/1', code: 'invalid_type', detail: 'must be a string' },
      { pointer: '/x~1y', code: 'unknown_member', detail: 'is not known here' },
      { pointer: '/z', code: 'unknown_member', detail: 'is not known here' },
    ]);
  });

  it('has each missing required member reported', async () => {
    const [, problem] = await refusal('{}');
    assert.deepEqual(problem.errors, [
      { pointer: '/amount', code: 'required', detail: 'is required' },
      { pointer: '/currency', code: 'required', detail: 'is required' },
    ]);
  });

  const amounts: [amount: string, code: string][] = [
    ['0', 'too_small'],
    ['-1', 'too_small'],
    ['"1"', 'invalid_type'],
    ['null', 'invalid_type'],
    ['true', 'invalid_type'],
    ['1.0', 'not_a_whole_number'],
    ['1e-1', 'not_a_whole_number'],
    ['9007199254740993', 'not_a_whole_number'],
    ['1e400', 'not_a_whole_number'],
  ];
  for (const [amount, code] of amounts) {
    it(`is refused with the amount ${amount}`, async () => {
      const [status, problem] = await refusal(`{"amount":${amount},"currency":"EUR"}`);
      assert.equal(status, 422);
      assert.deepEqual(
        problem.errors?.map((fault) => [fault.pointer, fault.code]),
        [['/amount', code]],
      );
    });
  }

  for (const [what, text] of [
    ['U+0000', '\\u0000'],
    ['half a surrogate pair', '\\ud800'],
  ]) {
    it(`is refused with ${what} in values and names`, async () => {
      const [status, problem] = await refusal(
        `{"amount":1,"currency":"EUR","label":"${text}","metadata":{"${text}":"x"}}`,
      );
      assert.equal(status, 422);
      assert.deepEqual(
        problem.errors?.map((fault) => fault.code),
        ['invalid_text', 'invalid_text'],
      );
      assert.equal(problem.errors?.[0]?.pointer, '/label');
    });
  }

  it('is refused with at most 100 faults reported', async () => {
    const members = Array.from({ length: 500 }, (_, index) => `"m${index}":1`);
    const [, problem] = await refusal(`{${members.join(',')}}`);
    assert.equal(problem.errors?.length, 100);
  });

  it('has many faults reported in a short answer', async () => {
    const texts = Array(1_900).fill('"\\ud800"').join();
    const response = await send(`{"${'x'.repeat(200_000)}":[${texts}]}`);
    const problem = JSON.parse(response.text) as Problem;
    assert.deepEqual([response.status, problem.errors?.length], [422, 100]);
    assert.ok(response.text.length < 64 * 1024, `${response.text.length} characters`);
  });

  it('is refused with more than 2,000 values', async () => {
    const [status, problem] = await refusal(`{"amount":1,"tags":[${Array(80_000).fill('1').join()}]}`);
    assert.deepEqual([status, problem.code], [400, 'malformed_request']);
    assert.match(problem.detail, /2000 members and entries/);
  });

  it('is refused with a card number, which nothing repeats', async () => {
    const response = await send('{"amount":1,"currency":"EUR","label":"4242 4242 4242 4242"}');
    assert.equal(response.status, 422);
    assert.equal((JSON.parse(response.text) as Problem).code, 'card_number_refused');
    // A trace id may hold four of its digits.
    assert.doesNotMatch(response.text + api.logLines.join(''), /4242 ?4242/);
  });

  const malformed: [what: string, body: string | Buffer | undefined][] = [
    ['is missing', undefined],
    ['is not JSON', '{"amount":1'],
    ['names a member twice', '{"amount":1,"amount":1,"currency":"EUR"}'],
    ['is not UTF-8', Buffer.from('{"amount":1,"currency":"EUR","label":"\xff"}', 'latin1')],
    ['is not an object', '[]'],
  ];
  for (const [what, body] of malformed) {
    it(`is malformed when it ${what}`, async () => {
      const [status, problem] = await refusal(body);
      assert.deepEqual([status, problem.code], [400, 'malformed_request']);
    });
  }

  const poke = { method: 'POST', path: '/v1/things/th_1:poke' };
  it('may be left out where nothing is required', async () => {
    for (const body of [undefined, '', '{}']) {
      assert.deepEqual(JSON.parse((await send(body, {}, poke)).text), { body: {}, key: 'k' });
    }
  });

  it('must be empty where the route takes none', async () => {
    const [status, problem] = await refusal('{"a":1}', {}, poke);
    assert.deepEqual([status, problem.errors?.[0]?.pointer], [422, '/a']);
  });

  for (const type of [
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
  ]) {
    it(`may have the media type ${type}`, async () => {
      const response = await send('{"amount":1,"currency":"EUR"}', { 'content-type': type });
      assert.equal(response.status, 201);
    });
  }

  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'json',
    '',
  ];
  for (const type of types) {
    it(`answers 415 when it is "${type}"`, async () => {
      const [status, problem] = await refusal('{}', { 'content-type': type });
      assert.deepEqual([status, problem.code], [415, 'unsupported_media_type']);
    });
  }

  it('of a PATCH is a merge patch', async () => {
    const target = { method: 'PATCH', path: '/v1/things/th_1' };
    const patch = await send('{"label":null}', { 'content-type': 'application/merge-patch+json' }, target);
    assert.deepEqual([patch.status, JSON.parse(patch.text)], [200, { body: { label: null } }]);
    assert.equal((await send('{"label":null}', {}, target)).status, 415);
  });

  it('answers 415 when it is compressed, with Accept-Encoding', async () => {
    const response = await send(gzipSync('{"amount":1,"currency":"EUR"}'), { 'content-encoding': 'gzip' });
    assert.equal(response.status, 415);
    assert.equal(response.headers['accept-encoding'], 'identity');
  });

  it('may have 256 KiB, but no more', async () => {
    const frame = '{"amount":1,"currency":"EUR"}';
    const largest = frame + ' '.repeat(256 * 1024 - frame.length);
    assert.equal((await send(largest)).status, 201);
    const [status, problem] = await refusal(`${largest} `);
    assert.deepEqual([status, problem.code], [413, 'payload_too_large']);
  });

  it('answers 413 when it is chunked and too large', async () => {
    const [status] = await refusal(' '.repeat(300 * 1024), { 'transfer-encoding': 'chunked' });
    assert.equal(status, 413);
  });

  it('is not read before the caller is known', async () => {
    const [status] = await refusal('{"amount":', { authorization: 'Bearer x' });
    assert.equal(status, 401);
  });
});
