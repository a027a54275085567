import { setTimeout as sleep } from 'node:timers/promises';
import { requestCancel } from '#db/payments/charges.ts';
import { isTerminal, type Charge } from '#domain/charges.ts';
import { ProblemError } from '#domain/problems.ts';
import { chargeStart } from '#temporal/client/starts.ts';
import { charges, requireCharge } from './charge-views.ts';
import { findInability } from './processor-choice.ts';
import { isConditional, requireCurrent } from '../http/conditional-requests.ts';
import type { ApiDeps } from '../http/deps.ts';
import { show, toParams, toResponse } from '../http/nouns.ts';
import type { Answer, IdRequest, Route } from '../http/route.ts';
import { defineCancel } from '../writes/cancels.ts';

export function cancelRoute(deps: ApiDeps): Route {
  return defineCancel(deps, {
    path: '/v1/charges/{id}:cancel',
    access: 'charges:update',
    summary: 'Cancel a charge: void its authorization, or request the cancel while the outcome is unknown',
    description:
      'An authorization is voided, and the charge reads `cancelled`. While the outcome is unknown, the cancel is recorded: the charge stays `pending` with `cancel_requested_at`. A cancel that is recorded is kept: what the processor has taken by then is given back, and the charge ends `cancelled`, or `failed` if it was declined. A cancel that comes after the outcome changes nothing. To give money back, refund the charge.',
    params: toParams(charges),
    responses: { 200: toResponse(charges) },
    problems: ['processor_cannot'],
    cancel: (request) => cancelCharge(deps, request),
  });
}

/** The longest that a cancel waits for its wake, in milliseconds. */
const wakeWithinMs = 2_000;

/**
 * Records the cancel on the row, then wakes the workflow, so that it looks at once. Waits for the void of an
 * authorization, but not for an unknown outcome.
 */
async function cancelCharge(deps: ApiDeps, request: IdRequest): Promise<Answer<200>> {
  const { account, params, traceId } = request;
  const deadline = performance.now() + deps.config.syncWindowMs;
  const requested = await recordCancel(deps, request);
  let charge = requested ?? (await requireCharge(deps.db, account.id, params.id));
  if (requested) {
    const start = chargeStart(requested, account, { traceId });
    const wakeBy = Math.min(deadline, performance.now() + wakeWithinMs);
    const result = await deps.temporal.wake(start, wakeBy);
    if (result !== 'done')
      deps.log.warn({ charge: charge.id, result }, 'workflow not woken for the cancel; the sweep wakes it');
    while (charge.status === 'requires_capture' && performance.now() < deadline) {
      await sleep(20);
      charge = await requireCharge(deps.db, account.id, params.id);
    }
  }
  const answer = show(charges, charge, request);
  return { ...answer, headers: { ...answer.headers, 'Content-Location': `/v1/charges/${charge.id}` } };
}

/**
 * Records that the caller wants the charge cancelled; a condition of the caller holds for that very version. Returns
 * `null` if the charge is terminal. A cancel that is recorded is kept, whatever becomes known afterwards.
 *
 * @throws {ProblemError} `not_found`; `processor_cannot` if the processor cannot give back what it may have captured.
 */
async function recordCancel(
  deps: Pick<ApiDeps, 'db' | 'processors'>,
  request: IdRequest,
): Promise<Charge | null> {
  const { account, params } = request;
  for (;;) {
    const read = await requireCharge(deps.db, account.id, params.id);
    requireCurrent(request, read);
    if (isTerminal(read)) return null;
    const inability = await findInability(deps, read.processorId, 'voidsCaptures');
    const version = isConditional(request) ? read.version : null;
    const requested = await requestCancel(deps.db, account.id, params.id, version, inability === null);
    if (requested) return requested;
    const now = await requireCharge(deps.db, account.id, params.id);
    if (inability && now.version === read.version)
      throw new ProblemError('processor_cannot', { detail: inability });
  }
}
