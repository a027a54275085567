import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { findCharge, findFault, findChargeView, listCharges, requestCancel } from '#db/payments/charges.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import {
  isTerminal,
  isUndecided,
  presentCharge,
  type Charge,
  type NewCharge,
  type ChargeView,
} from '#domain/charges.ts';
import { captureRefusal } from '#domain/charge-moves.ts';
import { isStoredMethod } from '#domain/cards/payment-methods.ts';
import { ProblemError } from '#domain/problems.ts';
import { isReturnAllowed } from './return-urls.ts';
import { statusesReadAs } from '#domain/versions/versions.ts';
import { cancelSignal, captureUpdate } from '#temporal/messages.ts';
import { claimedIds } from '#temporal/client/ids.ts';
import { chargeStart } from '#temporal/client/starts.ts';
import { chargeQuery } from './charge-query.ts';
import * as schemas from './charge-schemas.ts';
import { isConditional, requireCurrent, type Change } from '../http/conditional-requests.ts';
import type { ApiDeps } from '../http/deps.ts';
import { prefersAsync, retryAfter } from '../http/headers.ts';
import { createdRange, createPageSchema, searchedPages } from '../http/list-schemas.ts';
import { chargeId } from '../http/schemas.ts';
import { findProcessorToken } from './payment-methods.ts';
import { choosesNow, findInability, requireProcessor, requireTerms } from './processor-choice.ts';
import { defineRoute, type Answer, type ApiRequest, type IdRequest, type Route } from '../http/route.ts';
import { defineCancel } from '../writes/cancels.ts';
import { storedRefusal } from '../writes/stored-answers.ts';
import {
  defineWrite,
  type ClaimedWrite,
  type PreparedRequest,
  type WriteKind,
} from '../writes/workflow-writes.ts';
import { chargeInline } from './inline-charges.ts';

const params = z.object({ id: chargeId });
const charge = { description: 'The charge', schema: schemas.chargeResource };
/** A pending charge says when to read it again. */
const polledCharge = { ...charge, headers: ['Retry-After'] };

export function chargeRoutes(deps: ApiDeps): Route[] {
  const read = defineRoute({
    method: 'GET',
    path: '/v1/charges/{id}',
    access: 'charges:read',
    summary: 'Read a charge',
    description:
      'Returns the charge as it is now. While it is `pending`, `Retry-After` says when to read it again.',
    params,
    responses: { 200: polledCharge },
    problems: ['not_found'],
    async handle(request) {
      const charge = await findChargeView(deps.db, request.account.id, request.params.id);
      if (!charge) throw new ProblemError('not_found');
      return { ...show(charge), record: charge, change: toChange(charge) };
    },
  });

  const list = defineRoute({
    method: 'GET',
    path: '/v1/charges',
    access: 'charges:read',
    summary: 'List charges, newest first',
    description: `Returns a page of charges. All filters must hold. ${searchedPages}`,
    query: chargeQuery,
    responses: {
      200: { description: 'A page of charges', schema: createPageSchema(schemas.chargeResource) },
    },
    handle(request) {
      const { customer: customerId, status, metadata, reference, amount, currency } = request.query;
      const { charge_batch: fromBatchId } = request.query;
      const statuses = status && statusesReadAs(request.apiVersion, status);
      const range = createdRange('charge', request.query);
      const filter = { customerId, statuses, metadata, reference, fromBatchId, amount, currency, ...range };
      return deps.pages.search(
        request,
        (page, db) => listCharges(db, request.account.id, filter, page),
        presentCharge,
      );
    },
  });

  const cancel = defineCancel(deps, {
    path: '/v1/charges/{id}:cancel',
    access: 'charges:update',
    summary: 'Cancel a charge: void its authorization, or request the cancel while the outcome is unknown',
    description:
      'An authorization is voided, and the charge reads `cancelled`. While the outcome is unknown, the cancel is recorded: the charge stays `pending` with `cancel_requested_at`. A cancel that is recorded is kept: what the processor has taken by then is given back, and the charge ends `cancelled`, or `failed` if it was declined. A cancel that comes after the outcome changes nothing. To give money back, refund the charge.',
    params,
    responses: { 200: polledCharge },
    problems: ['processor_cannot'],
    cancel: (request) => cancelCharge(deps, request),
  });

  return [creationRoute(deps), read, list, captureRoute(deps), cancel];
}

function creationRoute(deps: ApiDeps): Route {
  return defineWrite(deps, {
    path: '/v1/charges',
    access: 'charges:write',
    summary: 'Create a charge',
    description:
      'Takes a payment, or reserves it with `capture_method` `manual`. The answer waits up to 10 seconds for the outcome. After a timeout or a 5xx, send the same request with the same key: the buyer is never charged twice.',
    body: schemas.newCharge,
    responses: {
      201: { ...charge, description: 'The outcome is known: the charge is captured or authorized' },
      202: {
        ...charge,
        description:
          'The outcome is not known yet, or the buyer must confirm the charge (`next_action`). Read the charge to learn it.',
        example: { status: 'pending', amount_captured: 0, captured_at: null },
      },
    },
    problems: [
      'card_declined',
      'payment_voided',
      'payment_not_sent',
      'charge_cancelled',
      'processor_refused',
      'processor_not_available',
      'processor_invalid_response',
      'processor_unavailable',
      'processor_timeout',
    ],
    kind: chargeCreation(deps),
    // The hot path: see docs/architecture.md for what an entry costs.
    isAuditedForPrograms: false,
    // A customer and its cards are stored state. Only the processor knows a token.
    readsState({ account, body }) {
      const { customerId, paymentMethod, currency } = body;
      if (customerId !== null || paymentMethod === null || isStoredMethod(paymentMethod)) return true;
      return !choosesNow(deps, account, { currency, card: null, token: paymentMethod, terms: body });
    },
    async prepare({ account, body }) {
      requireReturnAllowed(deps, body.returnUrl);
      const { card, ...payment } = await findProcessorToken(deps.db, account.id, body);
      const token = card ? null : payment.processorToken;
      const asked = { currency: body.currency, card, token, terms: body };
      const { processorId } = await requireProcessor(deps, account, asked);
      const charge: NewCharge = { ...body, ...payment, processorId };
      return { resourceId: newId('charge'), request: charge };
    },
  });
}

function captureRoute(deps: ApiDeps): Route {
  return defineWrite(deps, {
    path: '/v1/charges/{id}:capture',
    access: 'charges:update',
    summary: 'Capture an authorized charge once, in full or in part',
    description:
      'Takes the reserved money. With `amount`, takes that part, and the rest is released for good. The charge must read `requires_capture`.',
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
      'processor_cannot',
      'processor_invalid_response',
      'processor_unavailable',
      'processor_timeout',
    ],
    kind: chargeCapture,
    prepare(request, charge) {
      requireCurrent(request, charge);
      return prepareCapture(deps, request, charge);
    },
  });
}

/** @throws {ProblemError} `validation_failed` */
function requireReturnAllowed({ config }: Pick<ApiDeps, 'config'>, returnUrl: string | null): void {
  if (returnUrl === null || isReturnAllowed(returnUrl, config.webhooksAllowLoopback)) return;
  const fault = { pointer: '/return_url', code: 'invalid', detail: 'must begin with https://' };
  throw new ProblemError('validation_failed', { extras: { errors: [fault] } });
}

type CreateRequest = ApiRequest<unknown, unknown, z.output<typeof schemas.newCharge>>;
type CaptureRequest = IdRequest<z.output<typeof schemas.capture>>;

type Creation = ClaimedWrite<CreateRequest, null>;

function chargeCreation(deps: ApiDeps): WriteKind<CreateRequest, null> {
  return {
    findSubject: () => Promise.resolve(null),
    findFault,
    toCall: toChargeStart,
    answerInline(write) {
      const { account, headers } = write.request;
      const execution = account.chargeExecution ?? deps.config.chargeExecution;
      if (execution !== 'inline' || prefersAsync(headers['prefer'])) return null;
      return chargeInline(deps, toChargeStart(write), account.processors.length > 0);
    },
  };
}

function toChargeStart({ claim, request: { account, body, headers, traceId } }: Creation) {
  const charge = { ...body, ...claimedIds('charge', account.id, claim.key, claim) };
  return chargeStart(charge, account, { respondAsync: prefersAsync(headers['prefer']), traceId });
}

const chargeCapture: WriteKind<CaptureRequest, Charge> = {
  findSubject: (db, { account, params }) => requireCharge(db, account.id, params.id),
  findFault,
  toCall({ claim, request: { account, traceId }, subject: charge }) {
    const command = { chargeId: charge.id, claimId: claim.claimId };
    const start = chargeStart(charge, account, { traceId });
    return (temporal, deadline) => temporal.update(start, captureUpdate, command, deadline);
  },
};

/**
 * Refuses at once what the row refuses: a refusal costs the workflow no update, and is the key's answer. The refusal of
 * a pending charge is not stored, because the charge may be capturable in a moment. The statement that begins the
 * capture decides about every change after this read.
 */
async function prepareCapture(
  deps: Pick<ApiDeps, 'config' | 'processors'>,
  request: CaptureRequest,
  charge: Charge,
): Promise<PreparedRequest> {
  const amount = request.body.amount ?? null;
  const prepared = { resourceId: charge.id, request: { amount } };
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

/** The longest that a cancel waits for its signal, in milliseconds. */
const signalWithinMs = 2_000;

/**
 * Records the cancel on the row, then signals the workflow, so that it looks at once. Waits for the void of an
 * authorization, but not for an unknown outcome.
 */
async function cancelCharge(deps: ApiDeps, request: IdRequest): Promise<Answer> {
  const { account, params, traceId } = request;
  const deadline = performance.now() + deps.config.syncWindowMs;
  const requested = await recordCancel(deps, request);
  let charge = requested ?? (await requireCharge(deps.db, account.id, params.id));
  if (requested) {
    const start = chargeStart(requested, account, { traceId });
    const signalBy = Math.min(deadline, performance.now() + signalWithinMs);
    const result = await deps.temporal.signal(start, cancelSignal, signalBy);
    if (result !== 'done')
      deps.log.warn({ charge: charge.id, result }, 'cancel not signalled; the sweep signals it');
    while (charge.status === 'requires_capture' && performance.now() < deadline) {
      await sleep(20);
      charge = await requireCharge(deps.db, account.id, params.id);
    }
  }
  const headers = { ...retryAfter(charge), 'Content-Location': `/v1/charges/${charge.id}` };
  return { ...show(charge), headers, record: charge, change: toChange(charge) };
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

function show(charge: ChargeView): Answer {
  return { status: 200, headers: retryAfter(charge), body: presentCharge(charge) };
}

function toChange(charge: ChargeView): Change {
  // Its merchant may change the description and the metadata of any charge.
  return isUndecided(charge) ? 'by_itself' : 'on_request';
}

/** @throws {ProblemError} `not_found` */
export async function requireCharge(db: Database, accountId: string, id: string): Promise<Charge> {
  const charge = await findCharge(db, accountId, id);
  if (!charge) throw new ProblemError('not_found', { detail: 'There is no such charge in this account.' });
  return charge;
}
