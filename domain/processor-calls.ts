/**
 * How long calls to a processor may take, in milliseconds. Each adapter holds its calls to these times, and every time-out
 * that waits for calls is made of them: a step that is given up before its calls have ended would be taken twice.
 */
export const longestCallMs = {
  prepare: 3_000,
  /** The bank of the card is asked meanwhile. */
  authorize: 6_000,
  /** Each question. */
  find: 4_000,
  capture: 8_000,
  void: 8_000,
  refund: 8_000,
} as const;

/** Any call to the built-in processor. */
export const builtInCallMs = 4_000;

/** The calls that one step may make, one after the other. */
const steps: readonly (readonly (keyof typeof longestCallMs)[])[] = [
  ['find', 'prepare', 'authorize'],
  ['find', 'capture'],
  ['find', 'void'],
  ['find', 'refund'],
];

/** What the statements of a step may take beside its calls. */
const statementsMs = 2_000;

export const longestStepMs =
  statementsMs + Math.max(...steps.map((calls) => calls.reduce((sum, call) => sum + longestCallMs[call], 0)));

/** How long the first steps of a charge may take: one call to the built-in processor. */
export const firstStepsMs = builtInCallMs + 200;

/** The same where the payment is prepared first. */
export const preparedStepsMs = longestCallMs.prepare + longestCallMs.authorize + 200;
