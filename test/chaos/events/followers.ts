import { setTimeout as sleep } from 'node:timers/promises';
import { readBody, type Merchant } from '../load/merchants.ts';
import type { Random } from '../random.ts';
import type { SeenEvent, SeenPage } from './seen-events.ts';

/** Reads an account's events as the documents tell merchants to: ascending, behind the last sequence that it knows. */
export interface Follower {
  /** Reads until `closing` is aborted. */
  ended: Promise<void>;
  /** Reads what is left. */
  readToEnd(): Promise<void>;
}

const pageSize = 50;

/** Readers of resources, by the prefix of their ids. */
const routes: Partial<Record<string, string>> = {
  ch: 'GET /v1/charges/{id}',
  re: 'GET /v1/refunds/{id}',
  op: 'GET /v1/operations/{id}',
};

/** Follows the events of a merchant. After each page it reads the resource of its newest event, whose row must be there. */
export function followEvents(merchant: Merchant, random: Random, closing: AbortSignal): Follower {
  let after = 0;

  async function readPage(): Promise<SeenPage | null> {
    const query = `?order=asc&after_sequence=${after}&limit=${pageSize}`;
    const answer = await merchant.insist({ endpoint: 'GET /v1/events', query }, random, 20_000);
    if (answer.status !== 200) return null;
    const page = readBody<SeenPage>(answer);
    after = page.data.at(-1)?.sequence ?? after;
    return page;
  }

  async function readRow({ resource }: SeenEvent): Promise<void> {
    const endpoint = routes[resource.split('_')[0]!];
    if (endpoint) await merchant.send({ endpoint, id: resource });
  }

  async function live(): Promise<void> {
    while (!closing.aborted) {
      const page = await readPage();
      const newest = page?.data.at(-1);
      if (newest) await readRow(newest);
      if (!page?.has_more) await sleep(random.integer(200, 1_800));
    }
  }

  return {
    ended: live(),
    async readToEnd() {
      for (let page = await readPage(); page && page.data.length > 0; page = await readPage());
    },
  };
}
