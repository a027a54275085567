import type { z } from 'zod';
import { ProcessorFault } from '#processor/port.ts';
import { currentTime } from '#db/clock.ts';
import { findPayer } from '#db/payments/customers.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { attachmentOf, detachmentOf } from '#db/payments/payment-methods.ts';
import { notAttached, payerFault, presentCustomer, type Customer } from '#domain/customers.ts';
import { maxPaymentMethods, type Card } from '#domain/payment-methods.ts';
import { ProblemError, type ValidationFault } from '#domain/problems.ts';
import type { Move } from '#db/writes/effects.ts';
import { requireCurrent } from '../http/conditional-requests.ts';
import * as schemas from './customer-schemas.ts';
import {
  customerAnswer,
  customerEvent,
  customerParams,
  customerPath,
  ownCustomer,
  type CustomerRequest,
} from './customers.ts';
import type { ApiDeps } from '../http/deps.ts';
import { editOnce, refusedEdit, storedResource, type PlainEdit } from '../writes/plain-edits.ts';
import { defineRoute, type Answer, type Route } from '../http/route.ts';

type PaymentMethodDeps = Pick<ApiDeps, 'db' | 'config' | 'processor'>;

/** Cards on file: they have no path of their own, and are shown with their customer (decisions, Customer). */
export function paymentMethodRoutes(deps: PaymentMethodDeps): Route[] {
  const attach = defineRoute({
    method: 'POST',
    path: '/v1/customers/{id}:attach-payment-method',
    access: 'customers:write',
    summary: 'Keep the card behind a token on file; it is the first of the payment methods then',
    idempotencyKey: 'required',
    params: customerParams,
    body: schemas.attachment,
    responses: { 200: customerAnswer },
    problems: [
      'not_found',
      'customer_deleted',
      'precondition_failed',
      'too_many_payment_methods',
      'processor_invalid_response',
      'processor_unavailable',
      'processor_timeout',
    ],
    handle: (request) => attachCard(deps, request),
  });

  const detach = defineRoute({
    method: 'POST',
    path: '/v1/customers/{id}:detach-payment-method',
    access: 'customers:write',
    summary: 'Forget a payment method; charges made with it go on',
    idempotencyKey: 'required',
    params: customerParams,
    body: schemas.detachment,
    responses: { 200: customerAnswer },
    problems: ['not_found', 'customer_deleted', 'precondition_failed'],
    handle: (request) => detachCard(deps, request),
  });

  return [attach, detach];
}

/**
 * The payment method of a charge, by default that of its customer, and what the processor knows it by.
 *
 * @throws {ProblemError} `validation_failed` where the customer is not there, the payment method not its own, or neither
 *   named nor set as its default.
 */
export async function findProcessorToken(
  db: Database,
  accountId: string,
  charge: { customer: string | null; paymentMethod: string | null },
): Promise<{ paymentMethod: string; processorToken: string }> {
  const { customer } = charge;
  const payer = customer === null ? null : await findPayer(db, accountId, { ...charge, customer });
  const fault = payerFault(charge, payer);
  if (fault) throw invalid(fault);
  const paymentMethod = charge.paymentMethod ?? payer?.paymentMethod;
  if (!paymentMethod) throw new Error('A charge without a fault has a payment method');
  return { paymentMethod, processorToken: payer?.processorToken ?? paymentMethod };
}

function attachCard(
  deps: PaymentMethodDeps,
  request: CustomerRequest<z.output<typeof schemas.attachment>>,
): Promise<Answer> {
  const { token } = request.body;
  const id = newId('paymentMethod');
  let card: Card | null = null;
  return editOnce(deps.db, request, 'POST /v1/customers/{id}:attach-payment-method', async () => {
    const read = await ownCustomer(deps.db, request);
    requireCurrent(request, read);
    if (read.paymentMethods.length >= maxPaymentMethods) {
      return refusedEdit(deps.config.publicUrl, request, 'too_many_payment_methods', read.id);
    }
    card ??= await describeCard(deps, token);
    const added = { id, card };
    const changed = touched({ ...read, paymentMethods: [added, ...read.paymentMethods] });
    return editOf(request, changed, attachmentOf(read, added, token, changed.updatedAt));
  });
}

function detachCard(
  { db }: PaymentMethodDeps,
  request: CustomerRequest<z.output<typeof schemas.detachment>>,
): Promise<Answer> {
  const id = request.body.payment_method;
  return editOnce(db, request, 'POST /v1/customers/{id}:detach-payment-method', async () => {
    const read = await ownCustomer(db, request);
    requireCurrent(request, read);
    const paymentMethods = read.paymentMethods.filter((one) => one.id !== id);
    if (paymentMethods.length === read.paymentMethods.length) throw invalid(notAttached('/payment_method'));
    const defaultPaymentMethod = read.defaultPaymentMethod === id ? null : read.defaultPaymentMethod;
    const changed = touched({ ...read, paymentMethods, defaultPaymentMethod });
    return editOf(request, changed, detachmentOf(read, id, changed.updatedAt));
  });
}

/** @throws {ProblemError} `validation_failed` for a token that stands for no card, `processor_*`. */
async function describeCard({ processor }: PaymentMethodDeps, token: string): Promise<Card> {
  const card = await processor.describeToken(token).catch(notDescribed);
  if (card) return card;
  const detail = 'The processor knows no such token.';
  throw invalid({ pointer: '/token', code: 'not_found', detail });
}

/** Asking has no effect, so whatever went wrong, nothing happened. */
function notDescribed(error: unknown): never {
  if (!(error instanceof ProcessorFault)) throw error;
  const detail =
    'The processor could not be asked about the token, so nothing was changed. Retry with the same key.';
  throw new ProblemError(error.code, { detail, headers: { 'retry-after': '1' }, cause: error });
}

function touched(customer: Customer): Customer {
  return { ...customer, updatedAt: currentTime(), version: customer.version + 1 };
}

function editOf(request: CustomerRequest, changed: Customer, move: Move): PlainEdit {
  const shown = { path: customerPath(changed), record: changed, resource: presentCustomer(changed) };
  return {
    resourceId: changed.id,
    answer: storedResource(request, 200, shown),
    move,
    event: customerEvent('customer.updated', changed),
  };
}

function invalid(fault: ValidationFault): ProblemError {
  return new ProblemError('validation_failed', { extras: { errors: [fault] } });
}
