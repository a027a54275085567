import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { Route } from '#api/http/route.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { sendBytes, sendRaw, type RawResponse } from '../../support/stack/raw-http.ts';

/** Nearly as many characters as a head may have. */
const many = 15_000;

const file: Route<'account'> = {
  caller: 'account',
  method: 'GET',
  path: '/v1/files',
  access: 'any-token',
  summary: 'A file',
  produces: ['text/plain'],
  responses: { 200: { description: 'It' } },
  handle: () =>
    Promise.resolve({
      status: 200,
      file: {
        name: 'op_1.txt',
        contentType: 'text/plain',
        size: 10,
        validators: { etag: '"1"' },
        open: ({ first, last }) => {
          const length = last - first + 1;
          return Promise.resolve({ length, bytes: Readable.from([Buffer.alloc(length)]) });
        },
      },
    }),
};

describe('A head as long as it may be', () => {
  let api: TestApi;
  let authorization: string;
  before(async () => {
    api = await startApi({ routes: () => [file] });
    authorization = `Bearer ${await api.takeToken()}`;
  });
  after(() => api.stop());

  /** The answer, and the least time of five that this process computed, in ms: other processes do not count. */
  async function timed(path: string, headers: Record<string, string> = {}): Promise<[RawResponse, number]> {
    const times: number[] = [];
    let answer: RawResponse;
    do {
      const began = process.cpuUsage();
      answer = await sendRaw(api.url, { path, headers });
      const { user, system } = process.cpuUsage(began);
      times.push((user + system) / 1_000);
    } while (times.length < 5);
    return [answer, Math.min(...times)];
  }

  it('names one host, or is a 400', async () => {
    const { hostname, port } = new URL(api.url);
    const ask = (hosts: string) =>
      sendBytes(api.url, `GET /livez HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
    const host = `Host: ${hostname}:${port}\r\n`;
    assert.match(await ask(host), /^HTTP\/1.1 200 /);
    const answer = await ask(`${host}hOsT: evil.example\r\n`);
    assert.match(answer, /^HTTP\/1.1 400 /);
    assert.match(answer, /"code":"malformed_request"/);
  });

  const heads: [what: string, status: number, path: string, headers?: Record<string, string>][] = [
    ['slashes and a letter', 404, `${'/'.repeat(many)}x`],
    ['a known path and slashes', 308, `/livez${'/'.repeat(many)}`],
    ['blanks in a range', 200, '/v1/files', { range: `bytes=${' '.repeat(many)}x` }],
    ['digits in a range', 200, '/v1/files', { range: `bytes=${'0'.repeat(many)}x` }],
  ];
  for (const [what, status, path, headers = {}] of heads) {
    it(`costs no more than a short one with ${what}`, async () => {
      const [answer, ms] = await timed(path, { authorization, ...headers });
      assert.equal(answer.status, status, answer.text);
      assert.ok(ms < 40, `${ms} ms`);
    });
  }

  it('may have blanks before a range', async () => {
    const { status, headers } = await sendRaw(api.url, {
      path: '/v1/files',
      headers: { authorization, range: 'bytes= 2-5' },
    });
    assert.deepEqual([status, headers['content-range']], [206, 'bytes 2-5/10']);
  });
});
