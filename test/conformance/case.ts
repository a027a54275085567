import assert from 'node:assert/strict';
import { ProcessorFault, type ProcessorFaultCode } from '#processor/port.ts';
import type { ChargeRow } from './rows.ts';
import type { Feature, Subject } from './subject.ts';

/** A promise of the port, as a program that fails where it is broken. */
export interface ConformanceCase {
  /** `charges: takes the money at once`. Nobody renames one: reports and mutations name it. */
  name: string;
  /** An answer is lost, and the outcome is known in the end. */
  isLost: boolean;
  needs: readonly Feature[];
  run(subject: Subject): Promise<void>;
}

type Run = ConformanceCase['run'];

type AddCase = (title: string, needs: readonly Feature[], run: Run) => void;

/** Collects the cases of one group. */
export function collectCases(group: string): { cases: ConformanceCase[]; it: AddCase; lost: AddCase } {
  const cases: ConformanceCase[] = [];
  const add =
    (isLost: boolean): AddCase =>
    (title, needs, run) =>
      void cases.push({ name: `${group}: ${title}`, isLost, needs, run });
  return { cases, it: add(false), lost: add(true) };
}

/** For `assert.rejects`: a fault of the port with this code. */
export function isFault(code: ProcessorFaultCode): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof ProcessorFault, `a ProcessorFault, not ${String(error)}`);
    assert.equal(error.code, code, error.message);
    return true;
  };
}

/** Every lost answer ends so: what the charge holds in the books, and never a second capture or refund. */
export async function assertBooks(
  subject: Subject,
  row: ChargeRow,
  expected: { captured: number; refunded?: number; voided?: number },
): Promise<void> {
  const { captures, captured, refunds, refunded, voided } = await subject.books(row);
  assert.ok(captures <= 1, `${captures} captures`);
  assert.ok(refunds <= 1, `${refunds} refunds`);
  const { refunded: refundedThen = 0, voided: voidedThen = 0 } = expected;
  assert.deepEqual(
    { captured, refunded, voided },
    { captured: expected.captured, refunded: refundedThen, voided: voidedThen },
  );
}
