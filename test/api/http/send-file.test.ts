import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FileAnswer, Route } from '#api/http/route.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { eventually } from '../../support/eventually.ts';
import { sendBytes } from '../../support/stack/raw-http.ts';

/** What the store gives, whatever size was announced. */
type Stored = Awaited<ReturnType<FileAnswer['open']>>;

const size = 100_000;

/** Far less than the server lets a silent connection wait. */
const soonMs = 15_000;

/** Of pino. */
const errorLevel = 50;

/** Half of the file, and then what `end` does. */
function half(end: (stream: Readable) => void): Readable {
  let isSent = false;
  return new Readable({
    read() {
      if (isSent) end(this);
      else this.push(Buffer.alloc(size / 2));
      isSent = true;
    },
  });
}

const whole = (bytes: Readable): Stored => ({ length: size, bytes });

const fileRoute = (open: () => Stored): Route<'account'> => ({
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
        open: () => Promise.resolve(open()),
      },
    }),
});

describe('A file that is sent', () => {
  let api: TestApi;
  let token: string;
  let stored: Stored;

  before(async () => {
    api = await startApi({ routes: () => [fileRoute(() => stored)] });
    token = await api.takeToken();
  });
  after(() => api.stop());

  it('arrives whole where the stored size is as announced', async () => {
    stored = whole(Readable.from([Buffer.alloc(size / 2), Buffer.alloc(size / 2)], { objectMode: false }));
    assert.deepEqual(await receive(), { status: 200, bytes: size, isComplete: true });
  });

  const broken: [what: string, open: () => Readable, told: RegExp][] = [
    ['ends early', () => half((stream) => stream.push(null)), /ended 50000 bytes early/],
    ['fails midway', () => half((stream) => stream.destroy(new Error('disk gone'))), /disk gone/],
    ['is closed midway', () => half((stream) => stream.destroy()), /cannot be read to its end/],
    ['fails at once', () => new Readable({ read: (): never => raise('no such part') }), /no such part/],
  ];
  for (const [what, open, told] of broken) {
    it(`breaks off, and is logged, where it ${what}`, async () => {
      const bytes = open();
      stored = whole(bytes);
      const traceId = readTraceId(what);
      const { isComplete } = await receive(traceId);
      assert.equal(isComplete, false);
      assert.match(await errorUnder(traceId), told);
      assert.ok(bytes.destroyed);
    }).timeout(soonMs);
  }

  it('is cut where more comes than was announced', async () => {
    stored = whole(Readable.from([Buffer.alloc(size), Buffer.from('surplus')], { objectMode: false }));
    const traceId = readTraceId('longer');
    const head = Object.entries({ host: 'api', ...toHeaders(traceId) }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const all = await sendBytes(api.url, `GET /v1/files HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
    assert.match(all, /^HTTP\/1.1 200 /);
    assert.doesNotMatch(all, /surplus/);
    assert.match(await errorUnder(traceId), /more bytes than the 100000/);
  }).timeout(soonMs);

  it('is a 500 where the stored size differs', async () => {
    const bytes = half((stream) => stream.push(null));
    stored = { length: size / 2, bytes };
    const traceId = readTraceId('short');
    const answer = await fetch(`${api.url}/v1/files`, { headers: toHeaders(traceId) });
    const { code, trace_id: told } = (await answer.json()) as { code: string; trace_id: string };
    assert.deepEqual([answer.status, code, told], [500, 'internal_error', traceId]);
    assert.deepEqual([answer.headers.get('etag'), answer.headers.get('content-disposition')], [null, null]);
    assert.match(await errorUnder(traceId), /50000 bytes to give, not 100000/);
    assert.ok(bytes.destroyed);
  });

  it('is not logged as error when its reader disconnects', async () => {
    const bytes = half(() => undefined);
    stored = whole(bytes);
    const traceId = readTraceId('hangs up');
    const answer = await request(traceId);
    answer.destroy();
    await eventually('it is closed', () => bytes.destroyed);
    await eventually('it is noted', () =>
      linesUnder(traceId).some(({ msg }) => msg === 'connection lost during a response'),
    );
    assert.ok(linesUnder(traceId).every(({ level }) => level < errorLevel));
  });

  const toHeaders = (traceId: string) => ({
    authorization: `Bearer ${token}`,
    traceparent: `00-${traceId}-${'1'.repeat(16)}-01`,
  });

  function request(traceId: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      get(`${api.url}/v1/files`, { headers: toHeaders(traceId), agent: false }, resolve).on('error', reject);
    });
  }

  /** What a client has when the connection is done with this answer; status 0 where it never came. */
  async function receive(traceId = readTraceId('plain')) {
    const answer = await request(traceId).catch(() => null);
    if (!answer) return { status: 0, bytes: 0, isComplete: false };
    let bytes = 0;
    answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
    answer.on('error', () => undefined);
    await new Promise((resolve) => answer.once('close', resolve));
    return { status: answer.statusCode ?? 0, bytes, isComplete: answer.complete };
  }

  interface LogLine {
    level: number;
    msg: string;
    trace_id?: string;
    err?: { stack: string };
  }

  function linesUnder(traceId: string): LogLine[] {
    const lines = api.logLines.map((line) => JSON.parse(line) as LogLine);
    return lines.filter((line) => line.trace_id === traceId);
  }

  /** What the log has about the one error under the trace id. */
  async function errorUnder(traceId: string): Promise<string> {
    const line = await eventually('it is logged', () =>
      linesUnder(traceId).find(({ level }) => level === errorLevel),
    );
    return JSON.stringify(line);
  }
});

function readTraceId(what: string): string {
  return Buffer.from(what.padEnd(16, '.')).subarray(0, 16).toString('hex');
}

function raise(message: string): never {
  throw new Error(message);
}
