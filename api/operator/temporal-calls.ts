import { ProblemError } from '#domain/problems.ts';
import type { CallResult } from '#temporal/client/gateway.ts';

/** How long Temporal may take to accept a signal or a start, in milliseconds. */
export const temporalWithinMs = 3_000;

/**
 * Waits for a call to Temporal.
 *
 * @throws {ProblemError} `service_unavailable` if it was not accepted. It may be repeated.
 */
export async function requireDone(call: Promise<CallResult>): Promise<void> {
  if ((await call) === 'done') return;
  throw new ProblemError('service_unavailable', {
    detail: 'Temporal did not accept it. Send it again.',
    headers: { 'Retry-After': '2' },
  });
}
