import { z } from 'zod';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { findRefund, findRefundFault, listRefunds } from '#db/payments/refunds.ts';
import { toStoredAnswer } from '#db/writes/idempotency-keys.ts';
import { renderReply } from '#domain/answers.ts';
import type { Charge } from '#domain/charges.ts';
import { ProblemError } from '#domain/problems.ts';
import { isTerminal, presentRefund, replyToReversal, type Refund } from '#domain/refunds.ts';
import { reverseUpdate } from '#temporal/messages.ts';
import { claimedIds } from '#temporal/client/ids.ts';
import { refundStart } from '#temporal/client/starts.ts';
import { requireCharge } from './charges.ts';
import { findInability, requireTerms } from './processor-choice.ts';
import type { ApiDeps } from '../http/deps.ts';
import { requireCurrent } from '../http/conditional-requests.ts';
import { prefersAsync, retryAfter } from '../http/headers.ts';
import { createdRange, createPageSchema, searchedPages } from '../http/list-schemas.ts';
import * as schemas from './refund-schemas.ts';
import { defineRoute, type ApiRequest, type IdRequest, type Route } from '../http/route.ts';
import { chargeId, emptyBody, refundId } from '../http/schemas.ts';
import { storedRefusal, toAnswerContext } from '../writes/stored-answers.ts';
import { defineWrite, type PreparedRequest, type WriteKind } from '../writes/workflow-writes.ts';

const params = z.object({ id: refundId });
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
  problems: [
    'not_found',
    'charge_not_refundable',
    'charge_already_refunded',
    'refund_exceeds_captured',
    'refund_failed',
    'processor_invalid_response',
    'processor_unavailable',
    'processor_timeout',
  ],
} satisfies Partial<Route>;

export function refundRoutes(deps: ApiDeps): Route[] {
  const create = defineWrite(deps, {
    ...creation,
    path: '/v1/refunds',
    summary: 'Refund a charge, in full or in part',
    description:
      'Gives money back to the buyer. Several refunds are possible, up to what was taken. Without `amount`, all that is left goes back.',
    body: schemas.newRefund,
    kind: refundCreation('refund', ({ body }: CreateRequest) => body.chargeId),
    prepare: ({ body }, charge) => prepareRefund(deps, charge, body),
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
    kind: refundCreation('charge-refund', ({ params }: CreateOfChargeRequest) => params.id),
    prepare(request, charge) {
      // The path names the charge, so a condition is about it.
      requireCurrent(request, charge);
      return prepareRefund(deps, charge, { chargeId: charge.id, ...request.body });
    },
  });

  const read = defineRoute({
    method: 'GET',
    path: '/v1/refunds/{id}',
    access: 'refunds:read',
    summary: 'Read a refund',
    description:
      'Returns the refund as it is now. While it is `pending`, `Retry-After` says when to read it again.',
    params,
    responses: { 200: { ...refund, headers: ['Retry-After'] } },
    problems: ['not_found'],
    async handle({ account, params }) {
      const record = await requireRefund(deps.db, account.id, params.id);
      // A processed refund settles without a request.
      const change = isTerminal(record) ? 'never' : 'by_itself';
      return { status: 200, headers: retryAfter(record), body: presentRefund(record), record, change };
    },
  });

  const list = defineRoute({
    method: 'GET',
    path: '/v1/refunds',
    access: 'refunds:read',
    summary: 'List refunds, newest first',
    description: `Returns a page of refunds. All filters must hold. ${searchedPages}`,
    query: schemas.refundQuery,
    responses: {
      200: { description: 'A page of refunds', schema: createPageSchema(schemas.refundResource) },
    },
    handle(request) {
      const { charge: chargeId, status, metadata } = request.query;
      const filter = { chargeId, status, metadata, ...createdRange('refund', request.query) };
      return deps.pages.search(
        request,
        (page, db) => listRefunds(db, request.account.id, filter, page),
        presentRefund,
      );
    },
  });

  return [create, createOfCharge, read, list, reversalRoute(deps)];
}

/** @throws {ProblemError} `validation_failed` if the processor of the charge cannot give this amount back. */
async function prepareRefund(
  deps: Pick<ApiDeps, 'processors'>,
  { processorId, currency }: Charge,
  request: { chargeId: string; amount: number | null },
): Promise<PreparedRequest> {
  const { amount } = request;
  if (amount !== null) await requireTerms(deps, processorId, { amount, currency });
  return { resourceId: newId('refund'), request };
}

function reversalRoute(deps: ApiDeps): Route {
  return defineWrite(deps, {
    path: '/v1/refunds/{id}:cancel',
    access: 'refunds:write',
    summary: 'Reverse a processed refund, until its `reversible_until`',
    description:
      'Takes the refund back: the buyer gets nothing, and the amount can be refunded again. It is possible while the refund reads `processed`.',
    idempotencyKey: 'optional',
    params,
    body: emptyBody,
    responses: { 200: refund },
    problems: [
      'not_found',
      'precondition_failed',
      'idempotency_key_in_progress',
      'idempotency_key_reused',
      'refund_not_reversible',
      'processor_cannot',
      'processor_invalid_response',
      'processor_unavailable',
      'processor_timeout',
    ],
    kind: refundReversal,
    prepare(request, refund) {
      requireCurrent(request, refund);
      return prepareReversal(deps, request, refund);
    },
  });
}

type CreateRequest = ApiRequest<unknown, unknown, z.output<typeof schemas.newRefund>>;
type CreateOfChargeRequest = IdRequest<z.output<typeof schemas.newChargeRefund>>;

/** @param workflow the two ways have keys of their own, and hence workflow ids of their own. */
function refundCreation<Request extends ApiRequest<unknown, unknown, { amount: number | null }>>(
  workflow: 'refund' | 'charge-refund',
  findChargeId: (request: Request) => string,
): WriteKind<Request, Charge> {
  return {
    findSubject: (db, request) => requireCharge(db, request.account.id, findChargeId(request)),
    findFault: findRefundFault,
    toCall({ claim, request: { account, body, headers, traceId }, subject: charge }) {
      const { amount } = body;
      const refund = {
        ...claimedIds(workflow, account.id, claim.key, claim),
        ...(amount ? { amount, currency: charge.currency } : { amount: null, chargeId: charge.id }),
      };
      return refundStart(refund, account, { respondAsync: prefersAsync(headers['prefer']), traceId });
    },
  };
}

/** A reversal begins on a claim of its own, also without a key of the caller. */
const refundReversal: WriteKind<IdRequest, Refund> = {
  findSubject: (db, { account, params }) => requireRefund(db, account.id, params.id),
  findFault: findRefundFault,
  toCall({ claim, request: { account, traceId }, subject: refund }) {
    const command = { refundId: refund.id, claimId: claim.claimId };
    const start = refundStart(refund, account, { traceId });
    return (temporal, deadline) => temporal.update(start, reverseUpdate, command, deadline);
  },
};

/**
 * Answers for a terminal refund at once, and that is the key's answer. The refusal of a pending refund is not stored,
 * because it may be reversible in a moment. Whether a processed refund can still be reversed is decided by the statement
 * that begins the reversal, by the database's clock: this process's clock may be wrong.
 */
async function prepareReversal(
  deps: Pick<ApiDeps, 'db' | 'config' | 'processors'>,
  request: IdRequest,
  refund: Refund,
): Promise<PreparedRequest> {
  if (refund.status === 'pending') {
    const detail = 'The refund is still pending. Reverse it once it reads `processed`.';
    throw new ProblemError('refund_not_reversible', { detail, headers: { 'retry-after': '1' } });
  }
  const prepared = { resourceId: refund.id, request: {} };
  if (!isTerminal(refund)) {
    const { processorId } = await requireCharge(deps.db, request.account.id, refund.chargeId);
    const inability = await findInability(deps, processorId, 'reversesRefunds');
    if (!inability) return prepared;
    return { ...prepared, answer: storedRefusal(deps, request, 'processor_cannot', inability) };
  }
  return {
    ...prepared,
    answer: toStoredAnswer(renderReply(replyToReversal(refund), toAnswerContext(deps, request))),
  };
}

/** @throws {ProblemError} `not_found` */
async function requireRefund(db: Database, accountId: string, id: string): Promise<Refund> {
  const refund = await findRefund(db, accountId, id);
  if (!refund) throw new ProblemError('not_found');
  return refund;
}
