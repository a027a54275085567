import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  findCharge,
  findFault,
  findShownCharge,
  listCharges,
  requestCancel,
  type ChargeFilter,
} from '#db/payments/charges.ts';
import { toStored } from '#db/writes/idempotency-keys.ts';
import { newId } from '#db/new-id.ts';
import { answerProblem } from '#domain/answers.ts';
import {
  captureRefusal,
  isTerminal,
  presentCharge,
  type AskedCharge,
  type Charge,
  type NewCharge,
  type ShownCharge,
} from '#domain/charges.ts';
import { ProblemError } from '#domain/problems.ts';
import { cancelSignal, captureUpdate } from '#temporal/messages.ts';
import { claimedIds } from '#temporal/client/ids.ts';
import { chargeStart } from '#temporal/client/starts.ts';
import * as schemas from './charge-schemas.ts';
import { isConditional, requireCurrent, type Change } from '../http/conditional-requests.ts';
import type { ApiDeps } from '../http/deps.ts';
import { prefersAsync, retryAfter } from '../http/headers.ts';
import { cancelOnce } from '../writes/keyed-cancels.ts';
import { createdRange, createPageSchema } from '../http/list-schemas.ts';
import { findProcessorToken } from './payment-methods.ts';
import { defineRoute, type Answer, type ApiRequest, type Route } from '../http/route.ts';
import { keyOf, submit, type FromState, type Intent, type SubmitDeps } from '../writes/submit.ts';

const params = z.object({ id: schemas.chargeId });
const charge = { description: 'The charge', schema: schemas.chargeResource };
/** While it is pending. */
const polledCharge = { ...charge, headers: ['Retry-After'] };

export function chargeRoutes(deps: ApiDeps): Route[] {
  const submitDeps: SubmitDeps = { db: deps.db, log: deps.log, syncWindowMs: deps.config.syncWindowMs };

  const create = defineRoute({
    method: 'POST',
    path: '/v1/charges',
    access: 'charges:write',
    summary: 'Create a charge',
    idempotencyKey: 'required',
    body: schemas.newCharge,
    responses: {
      201: { ...charge, description: 'The outcome is known: captured, or authorized' },
      202: {
        ...charge,
        description: 'The outcome is not known yet; read the charge to learn it',
        example: { status: 'pending', amount_captured: 0, captured_at: null },
      },
    },
    problems: [
      'card_declined',
      'payment_voided',
      'payment_not_sent',
      'charge_cancelled',
      'processor_invalid_response',
      'processor_unavailable',
      'processor_timeout',
    ],
    handle: (request) => createCharge(deps, submitDeps, request),
  });

  const read = defineRoute({
    method: 'GET',
    path: '/v1/charges/{id}',
    access: 'charges:read',
    summary: 'Read a charge',
    params,
    responses: { 200: polledCharge },
    problems: ['not_found'],
    async handle(request) {
      const charge = await findShownCharge(deps.db, request.account.id, request.params.id);
      if (!charge) throw new ProblemError('not_found');
      const headers = retryAfter(charge);
      return { status: 200, headers, body: presentCharge(charge), record: charge, change: changeOf(charge) };
    },
  });

  const list = defineRoute({
    method: 'GET',
    path: '/v1/charges',
    access: 'charges:read',
    summary: 'List charges, newest first',
    query: schemas.chargeQuery,
    responses: {
      200: { description: 'A page of charges', schema: createPageSchema(schemas.chargeResource) },
    },
    async handle(request) {
      const { limit, after } = deps.pages.read(request);
      const filter = filterOf(request.query);
      const rows = await listCharges(deps.db, request.account.id, filter, { limit: limit + 1, after });
      return deps.pages.present(request, rows, { item: presentCharge, position: ({ id }) => id });
    },
  });

  const capture = defineRoute({
    method: 'POST',
    path: '/v1/charges/{id}:capture',
    access: 'charges:write',
    summary: 'Capture an authorized charge, in full or in part, once',
    idempotencyKey: 'required',
    params,
    body: schemas.capture,
    responses: { 200: charge },
    problems: [
      'not_found',
      'precondition_failed',
      'charge_already_captured',
      'charge_not_capturable',
      'capture_exceeds_authorized',
      'capture_declined',
      'processor_invalid_response',
      'processor_unavailable',
      'processor_timeout',
    ],
    handle: (request) => captureCharge(deps, submitDeps, request),
  });

  const cancel = defineRoute({
    method: 'POST',
    path: '/v1/charges/{id}:cancel',
    access: 'charges:write',
    summary: 'Cancel a charge: void its authorization, or ask for it while the outcome is unknown',
    idempotencyKey: 'optional',
    params,
    body: schemas.nothing,
    responses: { 200: polledCharge },
    problems: ['not_found', 'precondition_failed', 'idempotency_key_in_progress', 'idempotency_key_reused'],
    handle: (request) =>
      cancelOnce(deps, request, 'POST /v1/charges/{id}:cancel', () => cancelCharge(deps, request)),
  });

  return [create, read, list, capture, cancel];
}

type CreateRequest = ApiRequest<unknown, unknown, z.output<typeof schemas.newCharge>>;
type IdRequest<Body = unknown> = ApiRequest<{ id: string }, unknown, Body>;

function filterOf(query: z.output<typeof schemas.chargeQuery>): ChargeFilter {
  return { customerId: query.customer, status: query.status, ...createdRange('charge', query) };
}

function createCharge(deps: ApiDeps, submitDeps: SubmitDeps, request: CreateRequest): Promise<Answer> {
  const { account, body, headers, traceId } = request;
  const key = keyOf(request);
  return submit(submitDeps, request, {
    endpoint: 'POST /v1/charges',
    key,
    intent: intentOf(deps, request),
    findFault: ({ resourceId }) => findFault(deps.db, resourceId),
    run(claim, deadline) {
      const charge = { ...body, ...claimedIds('charge', account.id, key, claim) };
      const respondAsync = prefersAsync(headers['prefer']);
      return deps.temporal.outcome(chargeStart(charge, account, { respondAsync, traceId }), deadline);
    },
  });
}

/** A customer and its cards are stored state; a token alone is the processor's to know. */
function intentOf(deps: ApiDeps, { account, body }: CreateRequest): Intent | FromState {
  const request = requestOf(body);
  const intent = (card: Pick<NewCharge, 'paymentMethod' | 'processorToken'>): Intent => {
    const charge: NewCharge = { ...request, ...card };
    return { resourceId: newId('charge'), request: charge };
  };
  const { customerId: customer, paymentMethod } = request;
  if (customer === null && paymentMethod?.startsWith('tok_'))
    return intent({ paymentMethod, processorToken: paymentMethod });
  return async () => intent(await findProcessorToken(deps.db, account.id, { customer, paymentMethod }));
}

/** A valid body as the charge that is asked for; what the processor knows the card by is stored state. */
export function requestOf(body: z.output<typeof schemas.newCharge>): AskedCharge {
  return {
    amount: body.amount,
    currency: body.currency,
    captureMethod: body.capture_method,
    customerId: body.customer ?? null,
    paymentMethod: body.payment_method ?? null,
    description: body.description ?? null,
    statementDescriptor: body.statement_descriptor ?? null,
    metadata: body.metadata,
  };
}

function captureCharge(
  deps: ApiDeps,
  submitDeps: SubmitDeps,
  request: IdRequest<z.output<typeof schemas.capture>>,
): Promise<Answer> {
  const key = keyOf(request);
  let read: Charge | null = null;
  return submit(submitDeps, request, {
    endpoint: 'POST /v1/charges/{id}:capture',
    key,
    findFault: (claim) => findFault(deps.db, claim.resourceId),
    async intent() {
      read = await ownCharge(deps, request);
      requireCurrent(request, read);
      return captureIntent(deps, request, read);
    },
    async run(claim, deadline) {
      read ??= await ownCharge(deps, request);
      const command = { chargeId: read.id, claimId: claim.claimId };
      const start = chargeStart(read, request.account, { traceId: request.traceId });
      return deps.temporal.update(start, captureUpdate, command, deadline);
    },
  });
}

/**
 * What the row refuses is refused at once, and that is the key's answer: no refusal costs its run an update. One that
 * is pending may be capturable in a moment, so its refusal is not stored. What changes between this look and the
 * update is decided by the statement that begins the capture.
 */
function captureIntent(
  deps: ApiDeps,
  request: IdRequest<z.output<typeof schemas.capture>>,
  charge: Charge,
): Intent {
  const amount = request.body.amount ?? null;
  const refusal = captureRefusal(charge, amount);
  if (refusal && charge.status === 'pending') {
    const detail = 'The charge is still pending; capture it once it reads `requires_capture`.';
    throw new ProblemError(refusal, { detail, headers: { 'retry-after': '1' } });
  }
  const intent = { resourceId: charge.id, request: { amount } };
  if (!refusal) return intent;
  const { apiVersion, path, traceId } = request;
  const context = { publicUrl: deps.config.publicUrl, instance: path, traceId, apiVersion };
  const isUnderWay = refusal === 'charge_already_captured' && !isTerminal(charge);
  const detail = isUnderWay
    ? 'Another capture of the charge is under way. Should it be declined, capture the charge with a new key.'
    : undefined;
  return { ...intent, answer: toStored(answerProblem(refusal, context, detail)) };
}

/** The wish is written first; the signal only hastens it. A void is waited for, an unknown outcome is not. */
async function cancelCharge(deps: ApiDeps, request: IdRequest): Promise<Answer> {
  const deadline = Date.now() + deps.config.syncWindowMs;
  const asked = await askToCancel(deps, request);
  let charge = asked ?? (await ownCharge(deps, request));
  if (asked) {
    const start = chargeStart(asked, request.account, { traceId: request.traceId });
    const result = await deps.temporal.signal(start, cancelSignal, Math.min(deadline, Date.now() + 2_000));
    if (result !== 'done')
      deps.log.warn({ charge: asked.id, result }, 'cancel not signalled; the sweep will');
    while (charge.status === 'requires_capture' && Date.now() < deadline) {
      await sleep(20);
      charge = await ownCharge(deps, request);
    }
  }
  return { status: 200, headers: retryAfter(charge), body: presentCharge(charge) };
}

/** Writes the wish, to the very version that the caller knows where it says so. `null`: the charge is terminal. */
async function askToCancel(deps: ApiDeps, request: IdRequest): Promise<Charge | null> {
  const { account, params } = request;
  if (!isConditional(request)) return requestCancel(deps.db, account.id, params.id, null);
  for (;;) {
    const read = await ownCharge(deps, request);
    requireCurrent(request, read);
    if (isTerminal(read)) return null;
    const asked = await requestCancel(deps.db, account.id, params.id, read.version);
    if (asked) return asked;
  }
}

function changeOf(charge: ShownCharge): Change {
  if (charge.status === 'pending') return 'by_itself';
  // A refund changes one that succeeded.
  return isTerminal(charge) && charge.status !== 'succeeded' ? 'never' : 'on_request';
}

async function ownCharge(deps: ApiDeps, request: IdRequest): Promise<Charge> {
  const charge = await findCharge(deps.db, request.account.id, request.params.id);
  if (!charge) throw new ProblemError('not_found');
  return charge;
}
