import { setTimeout as sleep } from 'node:timers/promises';
import { listProcessors } from '#db/access/processors.ts';
import type { Database } from '#db/knex.ts';
import { findBookPosition, storeBookPage } from '#db/payments/processor-books.ts';
import { call } from '#processor/call.ts';
import { can, type OpenProcessor } from '#processor/open-processor.ts';
import { ProcessorFault, type OutcomeOf } from '#processor/port.ts';
import type { ActivityDeps } from '../deps.ts';

/** Reads the ledgers of the processors into our tables: their own records of the money that moved. */

/** The name of the built-in processor in the ledgers (`db/payments/processor-books.ts`). */
export const builtIn = '';

export interface Ledgers {
  /** Processors whose ledger was read to its end. */
  read: string[];
  /** Those of them whose ledger shows no authorizations. */
  withoutAuthorizations: string[];
  unread: string[];
  movementsCompared: number;
}

/** Reads what is new in the ledger of each processor. One that does not answer does not hold up the others. */
export async function readLedgers(
  deps: Pick<ActivityDeps, 'db' | 'processors'>,
  onProgress: (line: string) => void,
): Promise<Ledgers> {
  const ledgers: Ledgers = { read: [], withoutAuthorizations: [], unread: [], movementsCompared: 0 };
  let failure: ProcessorFault | null = null;
  const registered = (await listProcessors(deps.db)).map(({ id }) => id);
  for (const processor of [...(deps.processors.hasBuiltIn ? [builtIn] : []), ...registered]) {
    const port = await deps.processors.of(processor === builtIn ? null : processor);
    try {
      ledgers.movementsCompared += await readLedger(deps.db, processor, port, onProgress);
      ledgers.read.push(processor);
      if (!port.capabilities.recordsAuthorizations) ledgers.withoutAuthorizations.push(processor);
    } catch (error) {
      if (!(error instanceof ProcessorFault)) throw error;
      onProgress(`The ledger of ${processor || 'the built-in processor'} cannot be read: ${error.message}`);
      ledgers.unread.push(processor || 'built-in');
      failure ??= error;
    }
  }
  if (failure && ledgers.read.length === 0) throw failure;
  return ledgers;
}

/** How many movements are read between two lines of progress. */
const reportEvery = 20_000;

/**
 * Reads a ledger from where the last reading ended to its end, and keeps each page. Returns how many movements were read.
 *
 * @param mostPages so many are read at most. (Default: all)
 * @throws {ProcessorFault} Another reading goes on from the page that could not be read.
 */
export async function readLedger(
  db: Database,
  processor: string,
  port: OpenProcessor,
  onProgress: (line: string) => void,
  mostPages = Infinity,
): Promise<number> {
  if (!can(port, 'listMovements')) {
    throw new ProcessorFault('processor_unavailable', 'The processor keeps no ledger to compare with');
  }
  let count = 0;
  let reported = 0;
  let after = await findBookPosition(db, processor);
  for (let pages = 0; pages < mostPages; pages += 1) {
    const position = after;
    const { movements, next } = await readPage(port, position);
    if (!(await storeBookPage(db, processor, { after, movements, next }))) {
      // Another reading was quicker. It has stored this page, and maybe others after it.
      after = await findBookPosition(db, processor);
      continue;
    }
    count += movements.length;
    if (count - reported >= reportEvery) onProgress(`${(reported = count)} movements read`);
    if (next === null) return count;
    after = next;
  }
  return count;
}

/** The pauses after which a page that could not be read is read again, in milliseconds. */
const pauses = [500, 2_000, 5_000];
const longestPauseMs = 10_000;

/** Reads a page, again after a while if it cannot be read: one fault must not end a reading of thousands of pages. */
async function readPage(port: OpenProcessor, after: string | null): Promise<OutcomeOf<'listMovements'>> {
  for (let faults = 0; ; faults += 1) {
    const page = await call({ processor: port }, 'listMovements', after);
    if (!(page instanceof ProcessorFault)) return page;
    const pauseMs = pauses[faults];
    if (pauseMs === undefined || page.misconfigured) throw page;
    await sleep(Math.min(Math.max(pauseMs, page.retryAfterMs ?? 0), longestPauseMs));
  }
}
