import type { z } from 'zod';
import { buildChargeUpdate } from '#db/payments/charges.ts';
import { findFault, listCharges } from '#db/payments/charges.ts';
import { newId } from '#db/new-id.ts';
import { isStoredMethod } from '#domain/cards/payment-methods.ts';
import { chargeProblems, presentCharge, type ChargeView, type NewCharge } from '#domain/charges.ts';
import type { NewEvent } from '#domain/events.ts';
import { ProblemError } from '#domain/problems.ts';
import { statusesReadAs } from '#domain/versions/versions.ts';
import { claimedIds } from '#temporal/client/ids.ts';
import { chargeStart } from '#temporal/client/starts.ts';
import { captureRoute } from './captures.ts';
import { cancelRoute } from './charge-cancels.ts';
import { chargeQuery } from './charge-query.ts';
import * as schemas from './charge-schemas.ts';
import { charge, charges } from './charge-views.ts';
import { chargeInline, isInline } from './inline-charges.ts';
import { findProcessorToken } from './payment-methods.ts';
import { callProblems, choosesNow, requireProcessor } from './processor-choice.ts';
import { isReturnAllowed } from './return-urls.ts';
import type { ApiDeps } from '../http/deps.ts';
import { prefersAsync } from '../http/headers.ts';
import { searchedPages } from '../http/list-schemas.ts';
import { defineNoun } from '../http/nouns.ts';
import type { ApiRequest, Route } from '../http/route.ts';
import type { ClaimedWrite, Execution } from '../writes/definition.ts';
import { byRun } from '../writes/execution.ts';
import { applyPatch, changeGuarded, hasValues, toNextVersion } from '../writes/noun-changes.ts';
import { defineWrite } from '../writes/write.ts';

const patched = { patch: schemas.chargePatch, values: schemas.chargeDetails };

export function chargeRoutes(deps: ApiDeps): Route[] {
  const { read, list } = defineNoun(deps, charges, {
    read: {
      summary: 'Read a charge',
      description:
        'Returns the charge as it is now. While it is `pending`, `Retry-After` says when to read it again.',
    },
    list: {
      summary: 'List charges, newest first',
      description: `Returns a page of charges. All filters must hold. ${searchedPages}`,
      query: chargeQuery,
      find(db, { account, apiVersion, query }, range, page) {
        const {
          customer: customerId,
          metadata,
          reference,
          charge_batch: fromBatchId,
          card_last4: cardLast4,
          processor_reference: processorReference,
          amount,
          currency,
        } = query;
        const statuses = query.status && statusesReadAs(apiVersion, query.status);
        const found = {
          customerId,
          statuses,
          metadata,
          reference,
          fromBatchId,
          cardLast4,
          processorReference,
        };
        return listCharges(db, account.id, { ...found, amount, currency, ...range }, page);
      },
    },
  });

  // One statement in any state of the charge, without its workflow.
  const update = changeGuarded(deps, charges, 'PATCH', {
    access: 'charges:update',
    summary: 'Change the reference, the description or the metadata of a charge (RFC 7386)',
    description: `A member that is left out stays; \`null\` removes it. It works in every state of the charge and moves no money. The
processor is not told: it keeps the description that the charge was made with. A change is told by \`charge.updated\`.`,
    body: schemas.chargePatch,
    change({ body }, read) {
      const details = applyPatch(patched, presentCharge(read), body);
      if (hasValues(read, details)) return null;
      const to = toNextVersion(read, details);
      return { to, change: buildChargeUpdate(read, details, to.updatedAt), event: tellUpdate(to) };
    },
  });
  return [creationRoute(deps), read, list, captureRoute(deps), cancelRoute(deps), update];
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
    problems: [...chargeProblems, 'processor_not_available', ...callProblems],
    execution: creationExecution(deps),
    // The hot path: see docs/architecture.md for what an entry costs.
    isAuditedForPrograms: false,
    // A customer and its cards are more to read. Only the processor knows a token.
    isRepeatable({ account, body }) {
      const { customerId, paymentMethod, currency } = body;
      if (customerId !== null || paymentMethod === null || isStoredMethod(paymentMethod)) return false;
      return choosesNow(deps, account, { currency, card: null, token: paymentMethod, terms: body });
    },
    async prepare({ account, body }) {
      requireReturnAllowed(deps, body.returnUrl);
      const { card, ...payment } = await findProcessorToken(deps.db, account.id, body);
      const token = card ? null : payment.processorToken;
      const asked = { currency: body.currency, card, token, terms: body };
      const { processorId, processor } = await requireProcessor(deps, account, asked);
      const charge: NewCharge = { ...body, ...payment, processorId, processorKind: processor.kind };
      return { resourceId: newId('charge'), request: charge, subject: charge };
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

/** Its first steps are taken here, or in a run of its own, as the account chose. */
function creationExecution(deps: ApiDeps): Execution<CreateRequest, NewCharge> {
  return byRun(deps, {
    findFault,
    toStart: toChargeStart,
    takeInline(write) {
      const { account, headers } = write.request;
      if (!isInline(deps, account) || prefersAsync(headers['prefer'])) return null;
      return chargeInline(deps, toChargeStart(write), account.processors.length > 0);
    },
  });
}

function toChargeStart({ claim, request, subject }: ClaimedWrite<CreateRequest, NewCharge>) {
  const { account, body, headers, traceId } = request;
  const { amount, currency } = body;
  const processed = subject && { processorId: subject.processorId };
  const charge = { amount, currency, ...processed, ...claimedIds('charge', account.id, claim.key, claim) };
  return chargeStart(charge, account, { respondAsync: prefersAsync(headers['prefer']), traceId });
}

function tellUpdate(charge: ChargeView): NewEvent {
  return { id: newId('event'), type: 'charge.updated', resourceId: charge.id, object: presentCharge(charge) };
}
