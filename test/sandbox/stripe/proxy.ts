import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Agent, request } from 'undici';
import { checkExchange } from './exchanges.ts';

/** Stands before the sandbox, hands every request on, and checks it and its answer by Stripe's OpenAPI file. */
export interface CheckingProxy {
  url: string;
  /** How many exchanges were checked. */
  readonly checked: number;
  /** What was wrong, a line each. */
  readonly faults: string[];
  stop(): Promise<void>;
}

export async function startCheckingProxy(target: string): Promise<CheckingProxy> {
  const agent = new Agent({ bodyTimeout: 0, headersTimeout: 0 });
  const faults: string[] = [];
  let checked = 0;

  function check(incoming: IncomingMessage, requestBody: Buffer, status: number, answer: Buffer): void {
    const { pathname: path, search: query } = new URL(incoming.url ?? '/', target);
    if (!path.startsWith('/v1/')) return;
    const texts = { requestBody: String(requestBody), responseBody: String(answer) };
    try {
      JSON.parse(texts.responseBody);
    } catch {
      // A staged fault has made it unreadable.
      return;
    }
    checked += 1;
    faults.push(...checkExchange({ method: incoming.method ?? '', path, query, status, ...texts }));
  }

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const leaving = new AbortController();
    outgoing.once('close', () => leaving.abort());
    const answer = await request(target + incoming.url, {
      method: incoming.method as 'GET',
      headers: incoming.headers,
      body: incoming.method === 'POST' ? body : null,
      dispatcher: agent,
      signal: leaving.signal,
    });
    const received = Buffer.from(await answer.body.arrayBuffer());
    check(incoming, body, answer.statusCode, received);
    outgoing.writeHead(answer.statusCode, answer.headers).end(received);
  }

  // As long as the sandbox says in the header that goes through: else this closes what its client still uses.
  const server = createServer({ keepAliveTimeout: 65_000 }, (incoming, outgoing) => {
    // The sandbox cut the connection: so does this.
    forward(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get checked() {
      return checked;
    },
    faults,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await agent.destroy();
    },
  };
}
