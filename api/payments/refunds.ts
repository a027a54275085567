import { z } from 'zod';
import { findCharge } from '#db/payments/charges.ts';
import { toStored } from '#db/writes/idempotency-keys.ts';
import { newId } from '#db/new-id.ts';
import { findRefund, findRefundFault, listRefunds } from '#db/payments/refunds.ts';
import { answerReversal } from '#domain/answers.ts';
import type { Charge } from '#domain/charges.ts';
import { ProblemError } from '#domain/problems.ts';
import { isTerminal, presentRefund, type NewRefund, type Refund } from '#domain/refunds.ts';
import { reverseUpdate } from '#temporal/messages.ts';
import { claimedIds } from '#temporal/client/ids.ts';
import { refundStart } from '#temporal/client/starts.ts';
import { chargeId, nothing } from './charge-schemas.ts';
import type { ApiDeps } from '../http/deps.ts';
import { requireCurrent } from '../http/conditional-requests.ts';
import { prefersAsync, retryAfter } from '../http/headers.ts';
import { createdRange, createPageSchema } from '../http/list-schemas.ts';
import * as schemas from './refund-schemas.ts';
import { defineRoute, type Answer, type ApiRequest, type Route } from '../http/route.ts';
import { keyOf, submit, type Intent, type SubmitDeps } from '../writes/submit.ts';

const params = z.object({ id: schemas.refundId });
const refund = { description: 'The refund', schema: schemas.refundResource };

/** Both ways to create one answer alike. */
const creation = {
  method: 'POST',
  access: 'refunds:write',
  idempotencyKey: 'required',
  responses: {
    201: { ...refund, description: 'The processor accepted the refund' },
    202: { ...refund, description: 'The outcome is not known yet; read the refund to learn it' },
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
  const create = defineRoute({
    ...creation,
    path: '/v1/refunds',
    summary: 'Refund a charge, in full or in part',
    body: schemas.newRefund,
    handle: ({ body: { charge, ...body }, ...request }) =>
      createRefund(deps, { ...request, body }, { kind: 'refund', path: '/v1/refunds', chargeId: charge }),
  });

  const createOfCharge = defineRoute({
    ...creation,
    path: '/v1/charges/{id}/refunds',
    summary: 'Refund this charge, in full or in part',
    problems: [...creation.problems, 'precondition_failed'],
    params: z.object({ id: chargeId }),
    body: schemas.newChargeRefund,
    handle: (request) =>
      createRefund(deps, request, {
        kind: 'charge-refund',
        path: '/v1/charges/{id}/refunds',
        chargeId: request.params.id,
      }),
  });

  const read = defineRoute({
    method: 'GET',
    path: '/v1/refunds/{id}',
    access: 'refunds:read',
    summary: 'Read a refund',
    params,
    responses: { 200: { ...refund, headers: ['Retry-After'] } },
    problems: ['not_found'],
    async handle(request) {
      const record = await ownRefund(deps, request);
      // One that is processed settles without a request.
      const change = isTerminal(record) ? 'never' : 'by_itself';
      return { status: 200, headers: retryAfter(record), body: presentRefund(record), record, change };
    },
  });

  const list = defineRoute({
    method: 'GET',
    path: '/v1/refunds',
    access: 'refunds:read',
    summary: 'List refunds, newest first',
    query: schemas.refundQuery,
    responses: {
      200: { description: 'A page of refunds', schema: createPageSchema(schemas.refundResource) },
    },
    async handle(request) {
      const { charge, status } = request.query;
      const { limit, after } = deps.pages.read(request);
      const filter = { chargeId: charge, status, ...createdRange('refund', request.query) };
      const rows = await listRefunds(deps.db, request.account.id, filter, { limit: limit + 1, after });
      return deps.pages.present(request, rows, { item: presentRefund, position: ({ id }) => id });
    },
  });

  const cancel = defineRoute({
    method: 'POST',
    path: '/v1/refunds/{id}:cancel',
    access: 'refunds:write',
    summary: 'Reverse a processed refund, until its `reversible_until`',
    idempotencyKey: 'optional',
    params,
    body: nothing,
    responses: { 200: refund },
    problems: [
      'not_found',
      'precondition_failed',
      'idempotency_key_in_progress',
      'idempotency_key_reused',
      'refund_not_reversible',
      'processor_invalid_response',
      'processor_unavailable',
      'processor_timeout',
    ],
    handle: (request) => reverseRefund(deps, request),
  });

  return [create, createOfCharge, read, list, cancel];
}

type CreateRequest = ApiRequest<unknown, unknown, z.output<typeof schemas.newChargeRefund>>;
type IdRequest = ApiRequest<{ id: string }>;

/** What the two paths differ in: the scope of their keys, and where the charge is named. */
interface Creation {
  kind: 'refund' | 'charge-refund';
  path: string;
  chargeId: string;
}

function createRefund(
  deps: ApiDeps,
  request: CreateRequest,
  { kind, path, chargeId }: Creation,
): Promise<Answer> {
  const { account, body, headers, traceId } = request;
  const key = keyOf(request);
  let charge: Charge | null = null;
  return submit(submitDeps(deps), request, {
    endpoint: `POST ${path}`,
    key,
    findFault: (claim) => findRefundFault(deps.db, claim.resourceId),
    async intent() {
      charge = await ownCharge(deps, request, chargeId);
      // The path names the charge, so a condition is about it.
      if (kind === 'charge-refund') requireCurrent(request, charge);
      const { amount = null, reason = null, metadata } = body;
      const asked: NewRefund = { chargeId, amount, reason, metadata };
      return { resourceId: newId('refund'), request: asked };
    },
    async run(claim, deadline) {
      charge ??= await ownCharge(deps, request, chargeId);
      const { currency } = charge;
      const refund = {
        ...claimedIds(kind, account.id, key, claim),
        ...(body.amount ? { amount: body.amount, currency } : { amount: null, chargeId }),
      };
      const respondAsync = prefersAsync(headers['prefer']);
      return deps.temporal.outcome(refundStart(refund, account, { respondAsync, traceId }), deadline);
    },
  });
}

/** A caller may leave the key out; the reversal passes the fence on a claim of its own all the same. */
function reverseRefund(deps: ApiDeps, request: IdRequest): Promise<Answer> {
  let read: Refund | null = null;
  return submit(submitDeps(deps), request, {
    endpoint: 'POST /v1/refunds/{id}:cancel',
    // No caller can send a key with a space in it.
    key: request.idempotencyKey ?? `none ${newId('claim')}`,
    findFault: (claim) => findRefundFault(deps.db, claim.resourceId),
    async intent() {
      read = await ownRefund(deps, request);
      requireCurrent(request, read);
      return reversalIntent(deps, request, read);
    },
    async run(claim, deadline) {
      read ??= await ownRefund(deps, request);
      const command = { refundId: read.id, claimId: claim.claimId };
      const start = refundStart(read, request.account, { traceId: request.traceId });
      return deps.temporal.update(start, reverseUpdate, command, deadline);
    },
  });
}

/**
 * A refund that is terminal answers at once, and that is the key's answer. One that is pending may be reversible in a
 * moment, so its refusal is not stored. Whether a processed one can be reversed still is decided by the statement that
 * begins the reversal, by the database's clock: this process's may be wrong.
 */
function reversalIntent(deps: ApiDeps, request: IdRequest, read: Refund): Intent {
  if (read.status === 'pending') {
    const detail = 'The refund is still pending; reverse it once it reads `processed`.';
    throw new ProblemError('refund_not_reversible', { detail, headers: { 'retry-after': '1' } });
  }
  const intent = { resourceId: read.id, request: {} };
  if (!isTerminal(read)) return intent;
  const { apiVersion, path, traceId } = request;
  const context = { publicUrl: deps.config.publicUrl, instance: path, traceId, apiVersion };
  return { ...intent, answer: toStored(answerReversal(read, context)) };
}

async function ownCharge(deps: ApiDeps, request: ApiRequest, id: string): Promise<Charge> {
  const charge = await findCharge(deps.db, request.account.id, id);
  if (!charge) throw new ProblemError('not_found', { detail: 'There is no such charge in this account.' });
  return charge;
}

async function ownRefund(deps: ApiDeps, request: IdRequest): Promise<Refund> {
  const found = await findRefund(deps.db, request.account.id, request.params.id);
  if (!found) throw new ProblemError('not_found');
  return found;
}

function submitDeps({ db, log, config }: ApiDeps): SubmitDeps {
  return { db, log, syncWindowMs: config.syncWindowMs };
}
