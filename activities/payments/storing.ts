import { isRefused } from '#db/refused-statements.ts';
import { ProcessorFault } from '#processor/port.ts';

/**
 * Stores what the processor answered. An answer that Postgres refuses is as bad as one that cannot be read: its caller hears
 * of it, the processor is asked again, and a charge is voided once that was in vain for as long as its account lets it. It is
 * never retried against the constraint without an end.
 *
 * @throws {ProcessorFault} `processor_invalid_response` in place of Postgres' error, and what `save` throws beside it.
 */
export async function storing<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (!isRefused(error)) throw error;
    const why = error.constraint ?? error.code;
    const message = `The processor's answer cannot be stored: it breaks ${why}`;
    throw new ProcessorFault('processor_invalid_response', message, { cause: error });
  }
}
