import { listProcessors } from '#db/access/processors.ts';
import type { Database } from '#db/knex.ts';
import { findBookPosition, storeBookPage } from '#db/payments/processor-books.ts';
import { ProcessorFault, type PaymentProcessor } from '#processor/port.ts';
import type { ActivityDeps } from '../deps.ts';

/** Reads the ledgers of the processors into our tables: their own records of the money that moved. */

/** The name of the built-in processor in the ledgers (`db/payments/processor-books.ts`). */
export const builtIn = '';

export interface Ledgers {
  /** Processors whose ledger was read to its end. */
  read: string[];
  unread: string[];
  movementsCompared: number;
}

/** Reads what is new in the ledger of each processor. One that does not answer does not hold up the others. */
export async function readLedgers(
  deps: Pick<ActivityDeps, 'db' | 'processors'>,
  onProgress: (line: string) => void,
): Promise<Ledgers> {
  const ledgers: Ledgers = { read: [], unread: [], movementsCompared: 0 };
  let failure: ProcessorFault | null = null;
  const registered = (await listProcessors(deps.db)).map(({ id }) => id);
  for (const processor of [...(deps.processors.hasBuiltIn ? [builtIn] : []), ...registered]) {
    const port = await deps.processors.of(processor === builtIn ? null : processor);
    try {
      ledgers.movementsCompared += await readLedger(deps.db, processor, port, onProgress);
      ledgers.read.push(processor);
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

/** Returns how many movements were read. */
async function readLedger(
  db: Database,
  processor: string,
  port: PaymentProcessor,
  onProgress: (line: string) => void,
): Promise<number> {
  if (!port.listMovements) {
    throw new ProcessorFault('processor_unavailable', 'The processor keeps no ledger to compare with');
  }
  let count = 0;
  for (let after = await findBookPosition(db, processor); ;) {
    const { movements, next } = await port.listMovements(after);
    await storeBookPage(db, processor, { after, movements, next });
    count += movements.length;
    if (count % 20_000 === 0 && count > 0) onProgress(`${count} movements read`);
    if (next === null) return count;
    after = next;
  }
}
