import type { z } from 'zod';
import { findFault } from '#db/payments/charges.ts';
import { captureRefusal } from '#domain/charge-moves.ts';
import { captureProblems, isTerminal, isUndecided, type Charge } from '#domain/charges.ts';
import { ProblemError } from '#domain/problems.ts';
import { chargeStart } from '#temporal/client/starts.ts';
import { charge, charges, requireCharge } from './charge-views.ts';
import * as schemas from './charge-schemas.ts';
import { captureInline, isInline } from './inline-charges.ts';
import { callProblems, findInability, requireTerms } from './processor-choice.ts';
import { requireCurrent } from '../http/conditional-requests.ts';
import type { ApiDeps } from '../http/deps.ts';
import { toParams } from '../http/nouns.ts';
import type { IdRequest, Route } from '../http/route.ts';
import type { Execution, Prepared } from '../writes/definition.ts';
import { byRun } from '../writes/execution.ts';
import { storedRefusal } from '../writes/stored-answers.ts';
import { defineWrite } from '../writes/write.ts';

export function captureRoute(deps: ApiDeps): Route {
  return defineWrite(deps, {
    path: '/v1/charges/{id}:capture',
    access: 'charges:update',
    summary: 'Capture an authorized charge once, in full or in part',
    description:
      'Takes the reserved money. With `amount`, takes that part, and the rest is released for good. The charge must read `requires_capture`.',
    params: toParams(charges),
    body: schemas.capture,
    responses: { 200: charge },
    problems: ['not_found', 'precondition_failed', ...captureProblems, 'processor_cannot', ...callProblems],
    execution: captureExecution(deps),
    isRepeatable: () => true,
    async prepare(request) {
      const charge = await requireCharge(deps.db, request.account.id, request.params.id);
      requireCurrent(request, charge);
      return prepareCapture(deps, request, charge);
    },
  });
}

type CaptureRequest = IdRequest<z.output<typeof schemas.capture>>;

/** It is taken here, or by the run of the charge, which finds it at its claim. */
function captureExecution(deps: ApiDeps): Execution<CaptureRequest, Charge> {
  const toStart = ({ account, traceId }: CaptureRequest, charge: Charge) =>
    chargeStart(charge, account, { traceId });
  return byRun(deps, {
    findFault,
    isCommand: true,
    toStart: async ({ request, subject }) =>
      toStart(request, subject ?? (await requireCharge(deps.db, request.account.id, request.params.id))),
    takeInline({ request, claim, subject }) {
      if (!subject || !isInline(deps, request.account)) return null;
      return captureInline(deps, toStart(request, subject), claim.claimId);
    },
  });
}

/**
 * Refuses at once what the row refuses: a refusal does not wake the workflow, and is the key's answer. The refusal of
 * a pending charge is not stored, because the charge may be capturable in a moment. The statement that begins the
 * capture decides about every change after this read.
 */
async function prepareCapture(
  deps: Pick<ApiDeps, 'config' | 'processors'>,
  request: CaptureRequest,
  charge: Charge,
): Promise<Prepared<Charge>> {
  const amount = request.body.amount ?? null;
  const prepared = { resourceId: charge.id, request: { amount }, subject: charge };
  const refusal = captureRefusal(charge, amount);
  if (!refusal) {
    if (amount !== null && amount !== charge.amount)
      await requireTerms(deps, charge.processorId, { amount, currency: charge.currency });
    const inability =
      (amount ?? charge.amount) < charge.amount
        ? await findInability(deps, charge.processorId, 'partialCaptures')
        : null;
    if (!inability) return prepared;
    return { ...prepared, answer: storedRefusal(deps, request, 'processor_cannot', inability) };
  }
  if (isUndecided(charge)) {
    const detail = 'The charge is not authorized yet. Capture it once it reads `requires_capture`.';
    throw new ProblemError(refusal, { detail, headers: { 'retry-after': '1' } });
  }
  const isUnderWay = refusal === 'charge_already_captured' && !isTerminal(charge);
  const detail = isUnderWay
    ? 'Another capture of the charge is under way. If it is declined, capture the charge with a new key.'
    : undefined;
  return { ...prepared, answer: storedRefusal(deps, request, refusal, detail) };
}
