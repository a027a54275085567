import { z } from 'zod';
import { newId } from '#db/new-id.ts';
import { findRefund, findRefundFault, listRefunds } from '#db/payments/refunds.ts';
import { toStoredAnswer } from '#db/writes/idempotency-keys.ts';
import { renderReply } from '#domain/answers.ts';
import type { Charge } from '#domain/charges.ts';
import { ProblemError } from '#domain/problems.ts';
import { isTerminal, presentRefund, refundProblems, replyToReversal, type Refund } from '#domain/refunds.ts';
import { claimedIds } from '#temporal/client/ids.ts';
import { refundStart } from '#temporal/client/starts.ts';
import { requireCharge } from './charge-views.ts';
import { callProblems, findInability, requireTerms } from './processor-choice.ts';
import type { ApiDeps } from '../http/deps.ts';
import { requireCurrent } from '../http/conditional-requests.ts';
import { prefersAsync, retryAfter } from '../http/headers.ts';
import { searchedPages } from '../http/list-schemas.ts';
import { defineNoun, requireOne, toParams, type Noun } from '../http/nouns.ts';
import * as schemas from './refund-schemas.ts';
import type { ApiRequest, IdRequest, Route } from '../http/route.ts';
import { chargeId, emptyBody, refundId } from '../http/schemas.ts';
import type { Execution, Prepared } from '../writes/definition.ts';
import { byRun } from '../writes/execution.ts';
import { storedRefusal, toAnswerContext } from '../writes/stored-answers.ts';
import { defineWrite } from '../writes/write.ts';

const refunds: Noun<Refund> = {
  kind: 'refund',
  name: 'refund',
  collection: 'refunds',
  access: 'refunds:read',
  id: refundId,
  schema: schemas.refundResource,
  headers: ['Retry-After'],
  find: findRefund,
  present: presentRefund,
  describe: (refund) => ({
    headers: retryAfter(refund),
    record: refund,
    // A processed refund settles without a request. A settled one may fail, and its bank may tell more of it.
    change: refund.status === 'failed' || refund.status === 'reversed' ? 'never' : 'by_itself',
  }),
};

const refund = {
  description: 'The refund',
  schema: schemas.refundResource,
  readAt: '/v1/refunds/{id}',
};

/** Both ways to create a refund answer alike. */
const creation = {
  access: 'refunds:write',
  responses: {
    201: { ...refund, description: 'The processor accepted the refund' },
    202: { ...refund, description: 'The outcome is not known yet. Read the refund to learn it.' },
  },
  problems: ['not_found', ...refundProblems, ...callProblems],
} satisfies Partial<Route>;

export function refundRoutes(deps: ApiDeps): Route[] {
  const create = defineWrite(deps, {
    ...creation,
    path: '/v1/refunds',
    summary: 'Refund a charge, in full or in part',
    description:
      'Gives money back to the buyer. Several refunds are possible, up to what was taken. Without `amount`, all that is left goes back.',
    body: schemas.newRefund,
    execution: refundExecution(deps, 'refund', ({ body }: CreateRequest) => body.chargeId),
    isRepeatable: () => true,
    async prepare({ account, body }) {
      return prepareRefund(deps, await requireCharge(deps.db, account.id, body.chargeId), body);
    },
  });

  const createOfCharge = defineWrite(deps, {
    ...creation,
    path: '/v1/charges/{id}/refunds',
    summary: 'Refund this charge, in full or in part',
    description:
      'The same as `POST /v1/refunds`, with the charge in the path. `If-Match` is about the charge.',
    problems: [...creation.problems, 'precondition_failed'],
    params: z.object({ id: chargeId }),
    body: schemas.newChargeRefund,
    execution: refundExecution(deps, 'charge-refund', ({ params }: CreateOfChargeRequest) => params.id),
    isRepeatable: () => true,
    async prepare(request) {
      const charge = await requireCharge(deps.db, request.account.id, request.params.id);
      // The path names the charge, so a condition is about it.
      requireCurrent(request, charge);
      return prepareRefund(deps, charge, { chargeId: charge.id, ...request.body });
    },
  });

  const { read, list } = defineNoun(deps, refunds, {
    read: {
      summary: 'Read a refund',
      description:
        'Returns the refund as it is now. While it is `pending`, `Retry-After` says when to read it again.',
    },
    list: {
      summary: 'List refunds, newest first',
      description: `Returns a page of refunds. All filters must hold. ${searchedPages}`,
      query: schemas.refundQuery,
      find(db, { account, query }, range, page) {
        const { charge: chargeId, status, metadata, processor_reference: processorReference } = query;
        return listRefunds(
          db,
          account.id,
          { chargeId, status, metadata, processorReference, ...range },
          page,
        );
      },
    },
  });

  return [create, createOfCharge, read, list, reversalRoute(deps)];
}

/** @throws {ProblemError} `validation_failed` if the processor of the charge cannot give this amount back. */
async function prepareRefund(
  deps: Pick<ApiDeps, 'processors'>,
  charge: Charge,
  request: { chargeId: string; amount: number | null },
): Promise<Prepared<Charge>> {
  const { amount } = request;
  const { processorId, currency } = charge;
  if (amount !== null) await requireTerms(deps, processorId, { amount, currency });
  return { resourceId: newId('refund'), request, subject: charge };
}

function reversalRoute(deps: ApiDeps): Route {
  return defineWrite(deps, {
    path: '/v1/refunds/{id}:cancel',
    access: 'refunds:write',
    summary: 'Reverse a processed refund, until its `reversible_until`',
    description:
      'Takes the refund back: the buyer gets nothing, and the amount can be refunded again. It is possible while the refund reads `processed`.',
    idempotencyKey: 'optional',
    params: toParams(refunds),
    body: emptyBody,
    responses: { 200: refund },
    problems: [
      'not_found',
      'precondition_failed',
      'idempotency_key_in_progress',
      'idempotency_key_reused',
      'refund_not_reversible',
      'processor_cannot',
      ...callProblems,
    ],
    execution: reversalExecution(deps),
    isRepeatable: () => true,
    async prepare(request) {
      const refund = await requireOne(deps.db, refunds, request);
      requireCurrent(request, refund);
      return prepareReversal(deps, request, refund);
    },
  });
}

type CreateRequest = ApiRequest<unknown, unknown, z.output<typeof schemas.newRefund>>;
type CreateOfChargeRequest = IdRequest<z.output<typeof schemas.newChargeRefund>>;

/** @param workflow the two ways have keys of their own, and hence workflow ids of their own. */
function refundExecution<Request extends ApiRequest<unknown, unknown, { amount: number | null }>>(
  deps: ApiDeps,
  workflow: 'refund' | 'charge-refund',
  findChargeId: (request: Request) => string,
): Execution<Request, Charge> {
  return byRun(deps, {
    findFault: findRefundFault,
    async toStart({ claim, request, subject }) {
      const { account, body, headers, traceId } = request;
      const { amount } = body;
      const charge = subject ?? (await requireCharge(deps.db, account.id, findChargeId(request)));
      const refund = {
        ...claimedIds(workflow, account.id, claim.key, claim),
        processorId: charge.processorId,
        ...(amount ? { amount, currency: charge.currency } : { amount: null, chargeId: charge.id }),
      };
      return refundStart(refund, account, { respondAsync: prefersAsync(headers['prefer']), traceId });
    },
  });
}

/** The run of the refund finds the reversal at its claim, which it has also without a key of the caller. */
function reversalExecution(deps: ApiDeps): Execution<IdRequest, Refund> {
  return byRun(deps, {
    findFault: findRefundFault,
    isCommand: true,
    async toStart({ request, subject }) {
      const refund = subject ?? (await requireOne(deps.db, refunds, request));
      return refundStart(refund, request.account, { traceId: request.traceId });
    },
  });
}

/**
 * Answers for a terminal refund at once, and that is the key's answer. The refusal of a pending refund is not stored,
 * because it may be reversible in a moment. Whether a processed refund can still be reversed is decided by the statement
 * that begins the reversal, by the database's clock: this process's clock may be wrong.
 */
async function prepareReversal(
  deps: Pick<ApiDeps, 'db' | 'config' | 'processors'>,
  request: IdRequest,
  refund: Refund,
): Promise<Prepared<Refund>> {
  if (refund.status === 'pending') {
    const detail = 'The refund is still pending. Reverse it once it reads `processed`.';
    throw new ProblemError('refund_not_reversible', { detail, headers: { 'retry-after': '1' } });
  }
  const prepared = { resourceId: refund.id, subject: refund };
  if (!isTerminal(refund)) {
    const { processorId } = await requireCharge(deps.db, request.account.id, refund.chargeId);
    const inability = await findInability(deps, processorId, 'reverseRefund');
    if (!inability) return prepared;
    return { ...prepared, answer: storedRefusal(deps, request, 'processor_cannot', inability) };
  }
  return {
    ...prepared,
    answer: toStoredAnswer(renderReply(replyToReversal(refund), toAnswerContext(deps, request))),
  };
}
