import { ProcessorFault, type OutcomeOf, type SentBy, type SentCharge, type Verb } from './port.ts';

/** What an answer must not say, by the call that it answers. Adapters check more: what only their protocol shows. */

/** Returns what cannot be true of the answer, or `null`. */
type Doubt<V extends Verb> = (sent: SentBy<V>, answer: NonNullable<OutcomeOf<V>>) => string | null;

const ofCharge: Doubt<'authorize' | 'findCharge'> = (charge, answer) => {
  if (answer.kind === 'requires_action' && charge.returnUrl === null)
    return 'it asks the buyer of a charge without a way back';
  return answer.kind === 'captured' ? doubtAmount(charge, charge.amount, answer) : null;
};

const ofCapture: Doubt<'capture' | 'findCapture'> = ({ charge, amount }, answer) =>
  answer.kind === 'captured' ? doubtAmount(charge, amount, answer) : null;

/** The outcomes of other calls name no money. */
const doubts: { [V in Verb]?: Doubt<V> } = {
  authorize: ofCharge,
  findCharge: ofCharge,
  capture: ofCapture,
  findCapture: ofCapture,
};

function doubtAmount(
  charge: SentCharge,
  most: number,
  { amountCaptured, currency = charge.currency }: { amountCaptured: number; currency?: string | undefined },
): string | null {
  if (currency !== charge.currency) return `it is about ${currency}, and the charge about ${charge.currency}`;
  return Number.isSafeInteger(amountCaptured) && amountCaptured > 0 && amountCaptured <= most
    ? null
    : `it says that ${amountCaptured} of ${most} was taken`;
}

/**
 * Returns the answer.
 *
 * @throws {ProcessorFault} if it cannot be true.
 */
export function believe<V extends Verb>(verb: V, sent: SentBy<V>, answer: OutcomeOf<V>): OutcomeOf<V> {
  const doubt = answer && doubts[verb]?.(sent, answer);
  if (!doubt) return answer;
  throw new ProcessorFault('processor_invalid_response', `The processor's answer cannot be true: ${doubt}`);
}
