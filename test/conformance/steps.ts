import { setTimeout as wait } from 'node:timers/promises';
import {
  ProcessorFault,
  type CaptureOutcome,
  type ChargeOutcome,
  type Refused,
  type RefundOutcome,
} from '#processor/port.ts';
import { eventually } from '../support/eventually.ts';
import type { ChargeRow, MoneyRow } from './rows.ts';
import type { Subject } from './subject.ts';

/*
 * How the service goes on after a fault: the least that a port can rely on. It asks before it sends again, keeps the
 * first reference, and takes the next key only when a fault says so.
 */

/** Sends a charge as the service does: prepared once, then authorized under the reference of the row. */
export async function send(subject: Subject, row: ChargeRow): Promise<ChargeOutcome | Refused> {
  const { processor } = subject;
  if (processor.prepare && row.sent().ref === null) {
    const prepared = await processor.prepare(row.sent());
    if (prepared.kind === 'refused') return prepared;
    row.keepRef(prepared.ref);
  }
  return processor.authorize(row.sent());
}

export const capture = (subject: Subject, row: MoneyRow): Promise<CaptureOutcome> =>
  subject.processor.capture(row.sent());

export const refund = (subject: Subject, row: MoneyRow): Promise<RefundOutcome> =>
  subject.processor.refund(row.sent());

/** More than any case needs, and few enough to end. */
const mostTries = 8;
const mostWaitMs = 1_100;

/** Repeats `step` until it is answered. A fault moves the row on, and may ask for a pause. */
async function persist<T>(row: { nextAttempt(): void }, step: () => Promise<T | null>): Promise<T> {
  let last: unknown;
  for (let tries = 0; tries < mostTries; tries += 1) {
    try {
      const outcome = await step();
      if (outcome !== null) return outcome;
    } catch (error) {
      if (!(error instanceof ProcessorFault)) throw error;
      last = error;
      if (error.renewsKey) row.nextAttempt();
      await wait(Math.min(error.retryAfterMs ?? 0, mostWaitMs));
    }
  }
  throw new Error('the outcome stayed unknown', { cause: last });
}

/** Resolves a charge of unknown outcome: asks, and sends again what the processor has not seen. */
export function resolveCharge(subject: Subject, row: ChargeRow): Promise<ChargeOutcome | Refused> {
  return persist(row, async () => (await subject.processor.findCharge(row.sent())) ?? send(subject, row));
}

export function resolveCapture(subject: Subject, row: MoneyRow): Promise<CaptureOutcome> {
  return persist(row, async () => (await subject.processor.findCapture(row.sent())) ?? capture(subject, row));
}

export function resolveRefund(subject: Subject, row: MoneyRow): Promise<RefundOutcome> {
  return persist(row, async () => (await subject.processor.findRefund(row.sent())) ?? refund(subject, row));
}

/** Voids until the processor has confirmed it. A row without a reference keeps the mark that it never gets one. */
export function resolveVoid(subject: Subject, row: ChargeRow): Promise<{ kind: 'voided' }> {
  if (subject.processor.prepare) row.keepRef('void');
  return persist(row, () => subject.processor.void({ charge: row.sent() }));
}

/** Waits for what the processor says later. */
export function waitForLater<T>(subject: Subject, what: string, probe: () => Promise<T>) {
  return eventually(what, probe, subject.maxWaitMs);
}
