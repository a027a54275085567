import type { CaptureOutcome } from '#domain/charges.ts';
import { longestCallMs } from '#domain/processor-calls.ts';
import type { CallOptions, SentCapture } from '../port.ts';
import { afterSending, within, type Answered, type StripeClient, type Within } from './client.ts';
import { readDecline } from './declines.ts';
import { unreadable } from './errors.ts';
import { checkIntent, locateIntent, readCaptured, readRef, undecided } from './intents.ts';
import { toStripeAmount } from './money.ts';
import * as objects from './objects.ts';

const declined = (message: string): CaptureOutcome => ({
  kind: 'declined',
  declineCode: 'processing_error',
  advice: 'do_not_retry',
  message,
});

/** Takes part or all of the authorization, once: the intent guards it. */
export async function captureCharge(
  stripe: StripeClient,
  { key, charge, amount, attempt }: SentCapture,
  options: CallOptions | undefined,
): Promise<CaptureOutcome> {
  const ref = readRef(charge);
  if (ref === null || ref === 'voided') return declined('There is no authorization to capture.');
  const sent = toStripeAmount(amount, charge.currency);
  if (sent === null) return declined('The processor cannot capture this amount in this currency.');
  const time = within(longestCallMs.capture, options);
  const form = { amount_to_capture: sent, metadata: { capture: key } };
  const order = { call: 'capture', path: `/v1/payment_intents/${ref.id}/capture`, form } as const;
  const answer = await stripe.send(
    { ...order, key: `${key}:capture:${attempt}`, schema: objects.intent },
    time,
  );
  return afterSending(() => conclude(stripe, { key, charge, amount }, answer, time));
}

async function conclude(
  stripe: StripeClient,
  capture: Omit<SentCapture, 'attempt'>,
  answer: Answered<objects.Intent>,
  time: Within,
): Promise<CaptureOutcome> {
  const { charge } = capture;
  const outcome =
    answer.kind === 'ok' && !answer.replayed
      ? readCapture(checkIntent(stripe, charge, charge.ref ?? '', answer.value), capture)
      : await ask(stripe, capture, time);
  if (outcome) return outcome;
  if (answer.kind === 'ok' || answer.means === 'moved_on')
    throw unreadable('the payment was captured, and waits for its capture', { renewsKey: true });
  if (answer.means !== 'declined') return declined('The processor refused the capture.');
  return { kind: 'declined', ...readDecline(answer.error) };
}

export function findCapture(
  stripe: StripeClient,
  capture: Omit<SentCapture, 'attempt'>,
  options: CallOptions | undefined,
): Promise<CaptureOutcome | null> {
  return ask(stripe, capture, within(longestCallMs.find, options));
}

async function ask(
  stripe: StripeClient,
  capture: Omit<SentCapture, 'attempt'>,
  time: Within,
): Promise<CaptureOutcome | null> {
  const intent = await locateIntent(stripe, capture.charge, time);
  if (intent === null) return null;
  return intent === 'voided' ? declined('The charge was voided.') : readCapture(intent, capture);
}

/** Returns what an intent says of the capture under `key`; `null`: it was not captured, and can be. */
function readCapture(intent: objects.Intent, { key }: Pick<SentCapture, 'key'>): CaptureOutcome | null {
  switch (intent.status) {
    case 'requires_capture':
      return null;
    case 'processing':
      throw undecided('Stripe has not decided about the payment yet');
    case 'succeeded':
      if (intent.metadata['capture'] !== key) return declined('The charge was captured by another call.');
      return { kind: 'captured', amountCaptured: readCaptured(intent) };
    default:
      return declined('The authorization has lapsed, or was cancelled.');
  }
}
