import type { Scenario } from './scenario.ts';

/** Faults that were found in the product, or that its tests plant: each can be planted here again, in the world alone. */
export interface Plant {
  /** What went wrong, and what mends it. */
  about: string;
  /** A seed that finds it. */
  seed: number;
  /** Changes the statement of a name on its way to Postgres. */
  statement?: { name: RegExp; from: string; to: string };
  /** Changes the code of the workflows, as they were bundled. */
  workflow?: { from: string; to: string };
  /** A promise that the processor breaks. */
  processor?: 'forgets_keys' | 'forgets_voids' | 'refuses_and_does' | 'hides_captures';
  /** What the world does, in the place of what the seed draws. */
  scenario?: Partial<Scenario>;
}

export const plants: Readonly<Record<string, Plant>> = {
  'late-answer': {
    about:
      'A late answer of the processor overwrote a void that had begun: a save is guarded by the version.',
    seed: 126,
    statement: { name: /^save-charge/, from: 'and c.version = x.version', to: '' },
  },
  'late-refund': {
    about: 'A refund was concluded twice by two workers: a save is guarded by the version.',
    seed: 56,
    statement: { name: /^save-refund/, from: 'and version = $2', to: 'and $2::integer is not null' },
  },
  'sent-counts-as-unsent': {
    about:
      'A charge that may have been sent was given up as never sent: only a send without effect is undone.',
    seed: 72,
    statement: {
      name: /^record-fault/,
      from: 'case when sends = $4::integer then null else sent_at end',
      to: 'case when $4::integer is null then null::timestamptz end',
    },
  },
  'unrecorded-send': {
    about: 'A send was recorded after the call, so a crash lost it: it is recorded before.',
    seed: 23,
    statement: {
      name: /^begin-send/,
      from: 'coalesce(c.sent_at, clock_timestamp())',
      to: 'c.sent_at',
    },
  },
  'answer-changes': {
    about: 'Two runs of a step stored two answers: an answer is stored once.',
    seed: 18,
    statement: {
      name: /^store-answer/,
      from: 'and answered_at is null and begun_at is not null',
      to: 'and begun_at is not null',
    },
  },
  'kept-reservation': {
    about: 'A refund that failed kept its amount: the save that fails it gives the amount back.',
    seed: 15,
    statement: {
      name: /^save-refund/,
      from: "moved.status in ('failed', 'reversed')",
      to: "moved.status in ('reversed')",
    },
  },
  'overtaken-cancel': {
    about:
      'An outcome overtook a cancel that was accepted, and the money stayed taken: the cancel moves the version.',
    seed: 426,
    statement: {
      name: /^request-cancel/,
      from: 'version = case when cancel_requested_at is null then version + 1 else version end',
      to: 'version = version',
    },
  },
  'settled-for-good': {
    about: 'A refund that failed after it had settled read `settled` for good: it moves to `failed`.',
    seed: 251,
    statement: {
      name: /^save-refund/,
      from: "(status = 'settled' and $3 in ('failed', 'settled'))",
      to: 'false',
    },
  },
  'processor-forgets-keys': {
    about: 'The processor takes a known key for a new one. The invariants notice; the port forbids it.',
    seed: 11,
    processor: 'forgets_keys',
  },
  'processor-forgets-voids': {
    about: 'The processor takes a charge that was voided before. The port forbids it.',
    seed: 126,
    processor: 'forgets_voids',
  },
  'processor-refuses-and-does': {
    about: 'The processor says that it did nothing, and did it. The port forbids it.',
    seed: 247,
    processor: 'refuses_and_does',
  },
};
