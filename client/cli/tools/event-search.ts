import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { CliError } from '../exits.ts';
import { refuse } from '../operations/answers.ts';
import type { Connection } from '../session/connection.ts';
import type { Event } from './forward.ts';

/** How long an event may take, in milliseconds: that of an operation comes when it has ended. */
const withinMs = 30_000;

/** Waits for the newest event of this type about this resource. @throws {CliError} if it does not come */
export async function waitForEvent(
  { signal }: Pick<Context, 'signal'>,
  connection: Connection,
  type: string,
  about: string,
): Promise<Event> {
  const began = performance.now();
  for (;;) {
    const answer = await connection.request('GET', '/v1/events', { query: { type, limit: '20' } });
    if (answer.status >= 400) refuse(answer, null);
    const found = (answer.body as { data: Event[] }).data.find(({ data }) => data.object['id'] === about);
    if (found) return found;
    if (performance.now() - began > withinMs)
      throw new CliError('refused', `${type} about ${about} did not come within ${withinMs / 1_000} s`);
    await sleep(200, undefined, { signal });
  }
}
