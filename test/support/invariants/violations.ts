/** What must hold whenever everything is at rest, by its number in `docs/reliability.md`, "The invariants". */
export const invariants = {
  1: 'a key names at most one resource, money moves at most once for it, and what ended without holds none',
  2: 'refunded ≤ captured ≤ amount, and the row says what the books say',
  3: 'a terminal write has its answer, its events and their deliveries, or none of them',
  4: 'what has begun and is not terminal has its workflow, and nothing else is left behind',
  5: 'every event comes to each endpoint that asked for it, or is a dead letter',
  6: 'nobody reads what belongs to another',
  7: 'one order of events explains all that clients were told',
  8: 'the events of an account have no gap, stand in the order of commits, and come after their rows',
} as const;

export interface Violation {
  invariant: keyof typeof invariants;
  /** The row, or the key in the books. */
  of: string;
  what: string;
}

export function describeViolation({ invariant, of, what }: Violation): string {
  return `invariant ${invariant} (${invariants[invariant]}): ${of} ${what}`;
}
