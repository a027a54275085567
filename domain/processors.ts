/**
 * The processors that accounts choose: which one takes a new charge. A charge stays with it for good, and so do its
 * captures, voids and refunds.
 */

export type ProcessorStatus =
  /** Takes new charges. */
  | 'active'
  /** Takes no new charge, and ends those that it took. */
  | 'disabled';

/** A processor of an account, as the account's own order has it. */
export interface AccountProcessor {
  id: string;
  status: ProcessorStatus;
  /** ISO 4217; `null`: all. */
  currencies: string[] | null;
  /** Grows with every change of the processor. */
  version: number;
}

/** The processor of a row; `null` is the built-in one, at `PROCESSOR_URL`. */
export interface ProcessorChoice {
  processorId: string | null;
}

/** The processor of a card that a customer keeps on file. */
export interface CardProcessor extends ProcessorChoice {
  /** `null`: it is the built-in one. */
  status: ProcessorStatus | null;
}

/** What an account can choose from. */
export interface Choosable {
  /** In the account's order. An account without any uses the built-in processor. */
  processors: readonly AccountProcessor[];
  /** Whether the deployment has a built-in processor. */
  hasBuiltIn: boolean;
}

/**
 * Returns the processor of a new charge, or `null` if none takes it. A card on file goes to the processor that knows it;
 * else the account's first active processor takes the charge that takes its currency.
 *
 * @param currency `null`: any, for a card that is to be kept on file.
 */
export function chooseProcessor(
  { processors, hasBuiltIn }: Choosable,
  currency: string | null,
  card: CardProcessor | null,
): ProcessorChoice | null {
  if (card?.processorId) return card.status === 'active' ? { processorId: card.processorId } : null;
  const builtIn = hasBuiltIn ? { processorId: null } : null;
  if (card || processors.length === 0) return builtIn;
  const chosen = processors.find(
    ({ status, currencies }) =>
      status === 'active' && (currency === null || (currencies?.includes(currency) ?? true)),
  );
  return chosen ? { processorId: chosen.id } : null;
}
