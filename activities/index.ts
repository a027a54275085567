import type { ActivityDeps } from './deps.ts';
import { reconcileBooks } from './maintenance/books.ts';
import { retention } from './maintenance/retention.ts';
import { sweep } from './maintenance/sweep.ts';
import { operations } from './operations/operations.ts';
import { charges } from './payments/charges.ts';
import { refunds } from './payments/refunds.ts';
import type { StepDeps } from './payments/settle.ts';
import { deliverDue } from './webhooks/webhook-endpoints.ts';
import { replayEvents } from './webhooks/webhook-replays.ts';

/** Binds everything that workflows may call to the worker's dependencies. Histories hold these names. */
export const createActivities = (deps: ActivityDeps) =>
  bind(deps, {
    ...charges,
    ...refunds,
    ...operations,
    ...sweep,
    ...retention,
    reconcileBooks,
    deliverDue,
    replayEvents,
  });

/** Binds the steps of charges and refunds only. */
export const createPaymentActivities = (deps: StepDeps) => bind(deps, { ...charges, ...refunds });

export type Activities = ReturnType<typeof createActivities>;

type Bound<Steps> = {
  [Name in keyof Steps]: Steps[Name] extends (deps: never, ...input: infer Input) => infer Result
    ? (...input: Input) => Result
    : never;
};

/** Binds functions of `(deps, input)` to their dependencies: workflows give the input only. */
function bind<Deps, Steps extends Record<string, (deps: Deps, ...input: never[]) => unknown>>(
  deps: Deps,
  steps: Steps,
): Bound<Steps> {
  const entries = Object.entries(steps);
  return Object.fromEntries(entries.map(([name, step]) => [name, step.bind(null, deps)])) as Bound<Steps>;
}
