import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { render } from './answers.ts';
import { cases, type Answer, type Case } from './cases.ts';

/**
 * A service that fails as it is told, for the tests of every client. `node --import tsx test/client/faults/server.ts`
 * prints its URL as the first line. `POST /_case/{name}` begins a case and answers it; `GET /_seen` answers what came
 * since then ({Seen}). `/oauth2/token` gives tokens; all other requests get the answers of the case, one after another.
 */

/** A request as it came. Names of headers are lower case; `at_ms` is the time since the case began. */
export interface SeenRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: string;
  at_ms: number;
}

export interface Seen {
  requests: SeenRequest[];
  /** How many requests for tokens came. */
  tokens: number;
}

export interface FaultServer {
  url: string;
  begin(name: string): void;
  /** A case of a test's own: these answers, whose requests are seen from now on. */
  play(...answers: Planned[]): void;
  seen(): Seen;
  stop(): Promise<void>;
}

export type Planned = 'cut' | 'silence' | Answer;

interface Run {
  answers: Planned[];
  tokenAnswers: Planned[];
  seen: Seen;
  beganAt: number;
}

/** @param port (Default: any that is free) */
export async function startFaultServer(port = 0): Promise<FaultServer> {
  let run = beginRun({});
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await text(req);
    const { pathname } = new URL(req.url ?? '/', url);
    if (pathname.startsWith('/_case/')) return control(res, () => begin(pathname.slice('/_case/'.length)));
    if (pathname === '/_seen') return control(res, () => run.seen);
    if (pathname === '/oauth2/token') {
      run.seen.tokens += 1;
      return send(req, res, run.tokenAnswers.shift() ?? buildToken(run.seen.tokens), url);
    }
    run.seen.requests.push(describe(req, body, url, performance.now() - run.beganAt));
    return send(req, res, run.answers.shift() ?? tooMany, url);
  }

  /** @throws if there is no such case. */
  function begin(name: string): object {
    const found = cases.find((each) => each.name === name);
    if (!found) throw new Error(`There is no case ${name}`);
    run = beginRun(found);
    return found;
  }

  return {
    url,
    begin: (name) => void begin(name),
    play: (...answers) => void (run = beginRun({ answers })),
    seen: () => run.seen,
    stop: () => stop(server),
  };
}

function beginRun({ answers = [], token_answers: tokenAnswers = [] }: Partial<Case>): Run {
  return {
    answers: [...answers],
    tokenAnswers: [...tokenAnswers],
    seen: { requests: [], tokens: 0 },
    beganAt: performance.now(),
  };
}

/** A request beyond those of the case: no client repeats after it. */
const tooMany: Answer = { status: 418, body: { error: 'The case has no further answer.' } };

const buildToken = (number: number): Answer => ({
  status: 200,
  body: { access_token: `token-${number}`, token_type: 'Bearer', expires_in: 600, scope: '' },
});

function describe(req: IncomingMessage, body: string, url: string, at: number): SeenRequest {
  const { pathname, searchParams } = new URL(req.url ?? '/', url);
  return {
    method: req.method ?? '',
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: req.headers as Record<string, string>,
    body,
    at_ms: at,
  };
}

function control(res: ServerResponse, act: () => object): void {
  try {
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(act()));
  } catch (error) {
    res.writeHead(404).end((error as Error).message);
  }
}

function send(req: IncomingMessage, res: ServerResponse, planned: Planned, url: string): void {
  if (planned === 'silence') return;
  if (planned === 'cut') return void res.destroy();
  const { range } = req.headers;
  const { status, headers, body } = render(planned, { url, path: req.url ?? '', range });
  res.writeHead(status, { ...headers, 'Content-Length': String(body.length) });
  if (planned.cut_after === undefined) return void res.end(body);
  // What was written arrives, and then nothing more does.
  res.write(body.subarray(0, planned.cut_after), () => res.socket?.end(() => res.destroy()));
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await startFaultServer();
  console.log(url);
}
