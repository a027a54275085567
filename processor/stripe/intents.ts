import type { ChargeOutcome } from '#domain/charges.ts';
import { ProcessorFault, type SentCharge } from '../port.ts';
import type { StripeClient, Within } from './client.ts';
import { readDecline, type CardError } from './declines.ts';
import { unreadable } from './errors.ts';
import { findInPages } from './lists.ts';
import { fromStripeAmount } from './money.ts';
import * as objects from './objects.ts';
import { readIntentReceipt } from './receipts.ts';

/*
 * A charge of ours is one PaymentIntent. It is made unconfirmed, which moves no money, and only the one that the row
 * holds is ever confirmed.
 */

/** How long Stripe surely knows an idempotency key, less an hour: 24 h is what it promises. */
const keysKnownMs = 23 * 60 * 60 * 1_000;

/** Whether Stripe may have forgotten the keys of a charge or refund that was made then. */
export function mayBeForgotten(createdAt: Date): boolean {
  return Date.now() - createdAt.getTime() > keysKnownMs;
}

/** Returns the id of the charge's intent; `null`: none is in the row. A void of what was never sent leaves a mark there. */
export function readRef({ ref }: SentCharge): { id: string } | 'voided' | null {
  if (ref === null) return null;
  return ref.startsWith('pi_') ? { id: ref } : 'voided';
}

/** Asks for an intent by its id, and checks that it is this charge's. Throws a {@link ProcessorFault} otherwise. */
export async function askIntent(
  stripe: StripeClient,
  charge: SentCharge,
  id: string,
  within: Within,
): Promise<objects.Intent> {
  const path = `/v1/payment_intents/${encodeURIComponent(id)}`;
  const query = { expand: ['latest_charge'] };
  const intent = await stripe.ask({ path, query, schema: objects.intent }, within);
  return checkIntent(stripe, charge, id, intent);
}

/** @throws {ProcessorFault} if the answer is about something else than `charge`. */
export function checkIntent(
  stripe: StripeClient,
  charge: SentCharge,
  id: string,
  intent: objects.Intent,
): objects.Intent {
  if (intent.id !== id) throw unreadable('it is about another payment');
  if (intent.metadata['charge'] !== charge.key) throw unreadable('it is about the payment of another charge');
  if (intent.livemode !== stripe.livemode) throw unreadable('it is about money of the other mode');
  const isSame = intent.currency.toUpperCase() === charge.currency;
  if (!isSame || fromStripeAmount(intent.amount, intent.currency) !== charge.amount)
    throw unreadable('it is about another amount');
  return intent;
}

const listMarginSeconds = 300;
/** Most intents are made within this time after their charge, so it is listed first. */
const soonSeconds = 900;

/**
 * Finds the intent of a charge whose row holds none, by listing: Stripe's search may lag behind. Of several, the one that
 * moved money; else the oldest one.
 */
export async function findIntent(
  stripe: StripeClient,
  charge: SentCharge,
  within: Within,
): Promise<objects.Intent | null> {
  const made = Math.floor(charge.createdAt.getTime() / 1_000);
  const soon = { gte: made - listMarginSeconds, lte: made + soonSeconds };
  for (const created of [soon, { gt: soon.lte }]) {
    const found = await findInPages(
      stripe,
      {
        path: '/v1/payment_intents',
        query: { created, expand: ['data.latest_charge'] },
        item: objects.intent,
      },
      ({ metadata }) => metadata['charge'] === charge.key,
      within,
    );
    const chosen = found.find(({ status }) => !unmoved.has(status)) ?? found.at(-1);
    if (chosen) return checkIntent(stripe, charge, chosen.id, chosen);
  }
  return null;
}

const unmoved: ReadonlySet<string> = new Set([
  'requires_payment_method',
  'requires_confirmation',
  'canceled',
]);

/** Returns the intent of the charge as Stripe has it now. */
export async function locateIntent(
  stripe: StripeClient,
  charge: SentCharge,
  within: Within,
): Promise<objects.Intent | 'voided' | null> {
  const ref = readRef(charge);
  if (ref === 'voided') return ref;
  if (ref) return askIntent(stripe, charge, ref.id, within);
  // Money moves only under what the row holds. A younger charge is prepared again, under the same key.
  return mayBeForgotten(charge.createdAt) ? findIntent(stripe, charge, within) : null;
}

/**
 * Returns what an intent says of its charge; `null`: it has not been confirmed, or a confirm is on its way.
 *
 * @throws {ProcessorFault} for a state that cannot be.
 */
export function readOutcome(intent: objects.Intent): ChargeOutcome | null {
  const processorId = intent.id;
  const told = readIntentReceipt(intent);
  switch (intent.status) {
    case 'succeeded':
      return {
        kind: 'captured',
        processorId,
        amountCaptured: readCaptured(intent),
        currency: intent.currency.toUpperCase(),
        told,
      };
    case 'requires_capture':
      return { kind: 'authorized', processorId, told, ...readExpiry(intent) };
    case 'processing':
      return { kind: 'pending', processorId, told };
    case 'requires_action':
      return { kind: 'requires_action', processorId, url: readActionUrl(intent) };
    case 'canceled':
      return { kind: 'voided', processorId };
    case 'requires_confirmation':
      return null;
    case 'requires_payment_method': {
      const error = intent.last_payment_error;
      return error
        ? { kind: 'declined', processorId, told, ...readDecline(withAdvice(error, intent)) }
        : null;
    }
  }
}

/** Adds the advice that stands on the failed charge alone. */
function withAdvice(error: CardError, { latest_charge: charge }: objects.Intent): CardError {
  const told = typeof charge === 'object' ? charge?.outcome?.advice_code : null;
  return { ...error, advice_code: error.advice_code ?? told };
}

/** Minor units. @throws {ProcessorFault} for an amount that the currency does not have. */
export function readCaptured({ amount_received: received, currency }: objects.Intent): number {
  const captured = fromStripeAmount(received, currency);
  if (captured === null) throw unreadable(`it says that ${received} was taken`);
  return captured;
}

function readExpiry({ latest_charge: charge }: objects.Intent): { expiresAt?: Date } {
  const before = typeof charge === 'object' ? charge?.payment_method_details?.card?.capture_before : null;
  return before ? { expiresAt: new Date(before * 1_000) } : {};
}

/** @throws {ProcessorFault} for an action that is no page: nobody could ever take it. */
function readActionUrl({ next_action: action }: objects.Intent): string {
  const url = action?.type === 'redirect_to_url' ? action.redirect_to_url?.url : undefined;
  if (url === undefined) throw unreadable('it asks for an action that is no page');
  return url;
}

/** For a call that needs the payment of a charge, when its state has to be decided first. */
export function undecided(message: string): ProcessorFault {
  return new ProcessorFault('processor_unavailable', message, { retryAfterMs: 2_000, presence: 'there' });
}
