import type { z } from 'zod';
import { ProcessorFault, type PaymentProcessor } from '#processor/port.ts';
import { currentTime } from '#db/clock.ts';
import type { AskedCharge } from '#domain/charges.ts';
import { findPayer } from '#db/payments/customers.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { buildAttachment, buildDetachment } from '#db/payments/payment-methods.ts';
import { notAttached, payerFault, toCardProcessor, type Customer } from '#domain/customers.ts';
import { maxPaymentMethods, type Card } from '#domain/cards/payment-methods.ts';
import type { CardProcessor } from '#domain/processors.ts';
import { ProblemError, type ValidationFault } from '#domain/problems.ts';
import type { Move } from '#db/writes/effects.ts';
import { requireCurrent } from '../http/conditional-requests.ts';
import * as schemas from './customer-schemas.ts';
import { findInability, requireProcessor } from './processor-choice.ts';
import {
  customerAnswer,
  customerEvent,
  customerParams,
  requireCustomer,
  storedCustomer,
} from './customers.ts';
import type { ApiDeps } from '../http/deps.ts';
import type { IdRequest, Route } from '../http/route.ts';
import { defineDirectWrite, type DirectWrite } from '../writes/direct-writes.ts';
import { storedRefusal } from '../writes/stored-answers.ts';

type PaymentMethodDeps = Pick<ApiDeps, 'db' | 'config' | 'processors'>;

/** Stored cards. They have no path of their own; their customer shows them. */
export function paymentMethodRoutes(deps: PaymentMethodDeps): Route[] {
  const attach = defineDirectWrite(deps, {
    path: '/v1/customers/{id}:attach-payment-method',
    access: 'customers:write',
    summary: 'Store the card of a token; it becomes the first payment method',
    description:
      'The processor describes the card of the token: a token that it does not know is a 422. A customer has at most 100 cards.',
    params: customerParams,
    body: schemas.attachment,
    responses: { 200: customerAnswer },
    problems: [
      'not_found',
      'customer_deleted',
      'precondition_failed',
      'too_many_payment_methods',
      'processor_not_available',
      'processor_cannot',
      'processor_invalid_response',
      'processor_unavailable',
      'processor_timeout',
    ],
    prepare: (request) => prepareAttachment(deps, request),
  });

  const detach = defineDirectWrite(deps, {
    path: '/v1/customers/{id}:detach-payment-method',
    access: 'customers:write',
    summary: 'Remove a payment method; charges made with it continue',
    description:
      'The card cannot be charged any more. If it was the default one, the customer has none then.',
    params: customerParams,
    body: schemas.detachment,
    responses: { 200: customerAnswer },
    problems: ['not_found', 'customer_deleted', 'precondition_failed'],
    prepare: (request) => prepareDetachment(deps, request),
  });

  return [attach, detach];
}

/**
 * Returns the payment method of a charge (default: that of its customer), the processor's token for it, and the processor
 * of a card on file. Reads no
 * state if the charge has no customer.
 *
 * @throws {ProblemError} `validation_failed` if there is no such customer, if the payment method is not attached to it,
 *   or if the charge names none and the customer has no default.
 */
export async function findProcessorToken(
  db: Database,
  accountId: string,
  { customerId: customer, paymentMethod: named }: Pick<AskedCharge, 'customerId' | 'paymentMethod'>,
): Promise<{ paymentMethod: string; processorToken: string; card: CardProcessor | null }> {
  const charge = { customer, paymentMethod: named };
  const payer = customer === null ? null : await findPayer(db, accountId, { ...charge, customer });
  const fault = payerFault(charge, payer);
  if (fault) throw invalid(fault);
  const paymentMethod = named ?? payer?.paymentMethod;
  if (!paymentMethod) throw new Error('A charge without a fault has a payment method');
  return {
    paymentMethod,
    processorToken: payer?.processorToken ?? paymentMethod,
    card: toCardProcessor(payer),
  };
}

async function prepareAttachment(
  deps: PaymentMethodDeps,
  request: IdRequest<z.output<typeof schemas.attachment>>,
): Promise<DirectWrite> {
  const { token } = request.body;
  const read = await requireCustomer(deps.db, request);
  requireCurrent(request, read);
  if (read.paymentMethods.length >= maxPaymentMethods) {
    return { resourceId: read.id, answer: storedRefusal(deps, request, 'too_many_payment_methods') };
  }
  const chosen = await requireProcessor(deps, request.account, {
    currency: null,
    card: null,
    token: null,
    terms: null,
  });
  const { processorId, processor } = chosen;
  const inability = await findInability(deps, processorId, 'keepsCards');
  if (inability) throw new ProblemError('processor_cannot', { detail: inability });
  const added = { id: newId('paymentMethod'), card: await describeCard(processor, token) };
  const changed = toNextVersion({ ...read, paymentMethods: [added, ...read.paymentMethods] });
  return toWrite(
    request,
    changed,
    buildAttachment(read, added, { processorToken: token, processorId }, changed.updatedAt),
  );
}

async function prepareDetachment(
  { db }: PaymentMethodDeps,
  request: IdRequest<z.output<typeof schemas.detachment>>,
): Promise<DirectWrite> {
  const id = request.body.payment_method;
  const read = await requireCustomer(db, request);
  requireCurrent(request, read);
  const paymentMethods = read.paymentMethods.filter((one) => one.id !== id);
  if (paymentMethods.length === read.paymentMethods.length) throw invalid(notAttached('/payment_method'));
  const defaultPaymentMethod = read.defaultPaymentMethod === id ? null : read.defaultPaymentMethod;
  const changed = toNextVersion({ ...read, paymentMethods, defaultPaymentMethod });
  return toWrite(request, changed, buildDetachment(read, id, changed.updatedAt));
}

/** @throws {ProblemError} `validation_failed` for a token without a card, `processor_*`. */
async function describeCard(processor: PaymentProcessor, token: string): Promise<Card> {
  const card = await processor.describeToken(token).catch(notDescribed);
  if (card) return card;
  const detail = 'The processor knows no such token.';
  throw invalid({ pointer: '/token', code: 'not_found', detail });
}

/** The question has no effect, so nothing happened whatever the fault is. */
function notDescribed(error: unknown): never {
  if (!(error instanceof ProcessorFault)) throw error;
  const detail =
    'The processor could not be asked about the token. Nothing was changed. Retry with the same key.';
  throw new ProblemError(error.code, { detail, headers: { 'retry-after': '1' }, cause: error });
}

function toNextVersion(customer: Customer): Customer {
  return { ...customer, updatedAt: currentTime(), version: customer.version + 1 };
}

function toWrite(request: IdRequest, changed: Customer, move: Move): DirectWrite {
  return {
    resourceId: changed.id,
    answer: storedCustomer(request, 200, changed),
    move,
    event: customerEvent('customer.updated', changed),
  };
}

function invalid(fault: ValidationFault): ProblemError {
  return new ProblemError('validation_failed', { extras: { errors: [fault] } });
}
