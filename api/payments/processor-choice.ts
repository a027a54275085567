import type { Account } from '#db/access/accounts.ts';
import { chooseProcessor, type CardProcessor, type ProcessorChoice } from '#domain/processors.ts';
import { ProblemError, type ProblemCode } from '#domain/problems.ts';
import { acceptsToken, findTermFaults, lacks, type OpenProcessor } from '#processor/open-processor.ts';
import type { MoneyTerms } from '#processor/port.ts';
import type { ApiDeps } from '../http/deps.ts';

/** Which processor takes what the API is asked for, and what it cannot do. All this is decided before anything begins. */

/** The problems of a call to the processor. */
export const callProblems: readonly ProblemCode[] = [
  'processor_invalid_response',
  'processor_unavailable',
  'processor_timeout',
];

type ChoiceDeps = Pick<ApiDeps, 'processors'>;

/** What a choice depends on. */
interface Asked {
  /** `null`: any. */
  currency: string | null;
  card: CardProcessor | null;
  /** What the processor is given; `null`: a card that it knows. */
  token: string | null;
  /** `null`: no money is asked for. */
  terms: MoneyTerms | null;
}

/**
 * Chooses the processor that takes a new charge, or a new card on file.
 *
 * @throws {ProblemError} `processor_not_available` if the account has none for it; `processor_unavailable` if it refuses our
 *   key; `validation_failed` if the token cannot be one of its own, or if it cannot take the terms. Nothing has begun.
 */
export async function requireProcessor(
  { processors }: ChoiceDeps,
  account: Account,
  asked: Asked,
): Promise<ProcessorChoice & { processor: OpenProcessor }> {
  const choice = choose(processors, account, asked);
  if (!choice) throw new ProblemError('processor_not_available');
  const { processorId } = choice;
  const version = account.processors.find(({ id }) => id === processorId)?.version;
  if (!(await processors.isUsable(processorId, version))) throw unusable();
  const processor = await processors.of(processorId);
  if (asked.token !== null && !acceptsToken(processor, asked.token)) throw foreignToken();
  if (asked.terms) requireTakes(processor, asked.terms);
  return { processorId, processor };
}

/**
 * Returns whether {@link requireProcessor} would surely choose now, without reading anything. A repeated key is answered
 * by its claim, whatever its account has become: so the claim is looked up first where it would not.
 */
export function choosesNow({ processors }: ChoiceDeps, account: Account, asked: Asked): boolean {
  const choice = choose(processors, account, asked);
  const opened = choice && processors.peek(choice.processorId);
  if (!opened || opened.state === 'misconfigured') return false;
  const isTaken = asked.token === null || acceptsToken(opened, asked.token);
  return isTaken && (!asked.terms || findTermFaults(opened, asked.terms).length === 0);
}

/**
 * Requires that the processor of a row takes an amount, by its form alone: nothing is sent for it.
 *
 * @throws {ProblemError} `validation_failed`
 */
export async function requireTerms(
  { processors }: ChoiceDeps,
  processorId: string | null,
  terms: MoneyTerms,
): Promise<void> {
  requireTakes(await processors.of(processorId), terms);
}

function requireTakes(processor: OpenProcessor, terms: MoneyTerms): void {
  const errors = findTermFaults(processor, terms);
  if (errors.length > 0) throw new ProblemError('validation_failed', { extras: { errors } });
}

function choose(
  { hasBuiltIn }: ApiDeps['processors'],
  { processors }: Account,
  { currency, card }: Asked,
): ProcessorChoice | null {
  return chooseProcessor({ processors, hasBuiltIn }, currency, card);
}

/** What a processor may not be able to do, and what its caller does instead. */
const inability = {
  partialCaptures:
    'The processor of this charge captures the whole amount only. Leave `amount` out, or refund the rest afterwards.',
  reverseRefund: 'The processor of this refund takes none back. Create a new charge instead.',
  voidsCaptures:
    'The processor of this charge gives captured money back by a refund only. Wait for the outcome, then refund it.',
  describeToken:
    'The processor of this account keeps no cards on file. Send a token of the card with each charge.',
};

/** Returns why the processor of a row cannot do it, or `null` if it can. */
export async function findInability(
  { processors }: ChoiceDeps,
  processorId: string | null,
  needed: keyof typeof inability,
): Promise<string | null> {
  return lacks(await processors.of(processorId), needed) ? inability[needed] : null;
}

function unusable(): ProblemError {
  const detail = 'The processor of this account refuses our key. Nothing has begun. An operator was told.';
  return new ProblemError('processor_unavailable', { detail, headers: { 'retry-after': '5' } });
}

function foreignToken(): ProblemError {
  const detail = 'This is no token of the processor that takes the charges of this account.';
  const fault = { pointer: '/payment_method', code: 'foreign_token', detail };
  return new ProblemError('validation_failed', { extras: { errors: [fault] } });
}
