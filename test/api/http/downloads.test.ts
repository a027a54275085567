import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Route } from '#api/http/route.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { eventually } from '../../support/eventually.ts';

const size = 1_000;

/** A caller who is alone has seven of them. */
const places = 8;

/** Half of the file, after which the store is waited for: to the API it is as if its reader were slow. */
function heldHalf(): Readable {
  let isSent = false;
  return new Readable({
    read() {
      if (!isSent) this.push(Buffer.alloc(size / 2));
      isSent = true;
    },
  });
}

describe('Downloads that last', () => {
  let api: TestApi;
  let slowToken: string;
  let isSlow: boolean;
  let opened: Readable[];

  const fileRoute: Route<'account'> = {
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
          size,
          validators: { etag: '"1"' },
          open() {
            const bytes = isSlow ? heldHalf() : Readable.from([Buffer.alloc(size)], { objectMode: false });
            opened.push(bytes);
            return Promise.resolve({ length: size, bytes });
          },
        },
      }),
  };

  beforeEach(async () => {
    opened = [];
    api = await startApi({
      routes: () => [fileRoute],
      // A third of them is for downloads.
      env: { MAX_READS_IN_FLIGHT: String(3 * places) },
    });
    slowToken = await api.takeToken();
  });
  afterEach(() => api.stop());

  function download(token: string): Promise<IncomingMessage> {
    const headers = { authorization: `Bearer ${token}` };
    return new Promise((resolve, reject) => {
      const request = get(`${api.url}/v1/files`, { headers, agent: false }, resolve);
      request.on('error', reject);
    });
  }

  /** As many as the caller may have, and two more, of which nobody reads to the end. */
  async function holdAll(): Promise<IncomingMessage[]> {
    isSlow = true;
    const answers = await Promise.all(Array.from({ length: places + 1 }, () => download(slowToken)));
    isSlow = false;
    return answers;
  }

  it('are refused beyond the share of their account', async () => {
    const answers = await holdAll();
    const refused = answers.filter(({ statusCode }) => statusCode !== 200);
    assert.deepEqual(
      refused.map(({ statusCode, headers }) => [statusCode, headers['retry-after']]),
      [
        [503, '1'],
        [503, '1'],
      ],
    );
    assert.equal(opened.length, places - 1, 'a download that is turned away opens nothing');
    for (const answer of answers) answer.destroy();
  });

  it('leave the downloads of another account alive', async () => {
    const answers = await holdAll();
    const other = await api.takeToken(await api.createClient());
    for (let n = 0; n < places; n += 1) {
      const response = await fetch(`${api.url}/v1/files`, { headers: { authorization: `Bearer ${other}` } });
      assert.deepEqual([response.status, (await response.arrayBuffer()).byteLength], [200, size]);
    }
    for (const answer of answers) answer.destroy();
  });

  it('give their places back when their reader disconnects', async () => {
    for (const answer of await holdAll()) answer.destroy();
    await eventually('all are closed', () => opened.every(({ destroyed }) => destroyed));
    const again = await holdAll();
    assert.equal(again.filter(({ statusCode }) => statusCode === 200).length, places - 1);
    for (const answer of again) answer.destroy();
  });
});
