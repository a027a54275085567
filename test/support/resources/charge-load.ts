import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { eventually } from '../eventually.ts';

const clients = 4;
/** A client's pause between two requests, in milliseconds: the processes that start need the machine, too. */
const pauseMs = 60;

/** Load that goes on until it is stopped. */
export interface ChargeLoad {
  /** Waits until requests are answered that were sent from now on. */
  goesOn(when: string): Promise<void>;
  /** Returns how many answers of each kind there were (`POST 201`), and all that was no success. */
  stop(): Promise<{ answers: Map<string, number>; faults: string[] }>;
}

/** Clients that charge and read over connections they keep, one request after another. */
export function startChargeLoad(url: string, token: string): ChargeLoad {
  const pool = new Pool(url, { connections: clients, pipelining: 1 });
  const answers = new Map<string, number>();
  const faults: string[] = [];
  const over = new AbortController();

  async function send(method: 'GET' | 'POST', path: string, body?: object): Promise<{ id?: string }> {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    };
    const answer = await pool.request({ method, path, headers, body: body ? JSON.stringify(body) : null });
    const text = await answer.body.text();
    const kind = `${method} ${answer.statusCode}`;
    answers.set(kind, (answers.get(kind) ?? 0) + 1);
    if (answer.statusCode >= 300) faults.push(`${kind} ${text}`);
    return JSON.parse(text) as { id?: string };
  }

  async function client(): Promise<void> {
    while (!over.signal.aborted) {
      try {
        const { id } = await send('POST', '/v1/charges', {
          amount: 100,
          currency: 'EUR',
          payment_method: 'tok_visa',
        });
        await send('GET', `/v1/charges/${id}`);
        await sleep(pauseMs);
      } catch (error) {
        faults.push(String(error));
      }
    }
  }

  const running = Promise.all(Array.from({ length: clients }, client));
  const total = () => [...answers.values()].reduce((sum, count) => sum + count, 0);
  return {
    async goesOn(when) {
      const since = total();
      await eventually(`the load goes on ${when}`, () => total() > since + clients * 4);
    },
    async stop() {
      over.abort();
      await running;
      await pool.close();
      return { answers, faults };
    },
  };
}
