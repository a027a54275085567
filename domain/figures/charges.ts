import { idTime } from '../ids.ts';
import { startOfMinute } from './steps.ts';

/** Counts charges by what became of them, from their events. Each charge has one event of its end, so it counts once. */

export const chargeOutcomes = ['authorized', 'succeeded', 'declined', 'failed', 'cancelled'] as const;

export type ChargeOutcome = (typeof chargeOutcomes)[number];

/** The types of events that tell an outcome. */
export const countedEventTypes = [
  'charge.authorized',
  'charge.succeeded',
  'charge.failed',
  'charge.cancelled',
] as const;

/** What figures need of an event. */
export interface CountedEvent {
  /** It carries the time that merchants read as the event's. */
  id: string;
  accountId: string;
  type: (typeof countedEventTypes)[number];
  currency: string;
  /** Minor units: captured, where it succeeded; else as asked for. */
  amount: number;
  failureCode: string | null;
  declineCode: string | null;
}

/** Charges of one account, minute, currency, outcome and reason. */
export interface ChargeFigure {
  accountId: string;
  /** The minute's beginning. */
  at: Date;
  currency: string;
  outcome: ChargeOutcome;
  /** The decline code, or the code of the failure; empty for other outcomes. */
  reason: string;
  count: number;
  /** Minor units. A sum may be beyond 2^53. */
  amount: bigint;
}

/** Returns the figures of these events, in the order of their keys: two writers then wait for each other in one order. */
export function countCharges(events: readonly CountedEvent[]): ChargeFigure[] {
  const figures = new Map<string, ChargeFigure>();
  for (const event of events) {
    const { accountId, currency } = event;
    const at = startOfMinute(idTime(event.id));
    const { outcome, reason } = toOutcome(event);
    const key = [accountId, at.toISOString(), currency, outcome, reason].join(' ');
    const figure = figures.get(key) ?? { accountId, at, currency, outcome, reason, count: 0, amount: 0n };
    figures.set(key, { ...figure, count: figure.count + 1, amount: figure.amount + BigInt(event.amount) });
  }
  return [...figures.keys()].toSorted().map((key) => figures.get(key)!);
}

function toOutcome({
  type,
  failureCode,
  declineCode,
}: CountedEvent): Pick<ChargeFigure, 'outcome' | 'reason'> {
  switch (type) {
    case 'charge.authorized':
      return { outcome: 'authorized', reason: '' };
    case 'charge.succeeded':
      return { outcome: 'succeeded', reason: '' };
    case 'charge.cancelled':
      return { outcome: 'cancelled', reason: '' };
    case 'charge.failed':
      if (failureCode === 'card_declined')
        return { outcome: 'declined', reason: declineCode ?? 'generic_decline' };
      return { outcome: 'failed', reason: failureCode ?? 'unknown' };
  }
}
