import type { z } from 'zod';
import { call } from '#processor/call.ts';
import type { OpenProcessor } from '#processor/open-processor.ts';
import { ProcessorFault } from '#processor/port.ts';
import type { AskedCharge } from '#domain/charges.ts';
import { findPayer } from '#db/payments/customers.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { buildAttachment, buildDetachment } from '#db/payments/customers.ts';
import { notAttached, payerFault, toCardProcessor, type Customer } from '#domain/customers.ts';
import { maxPaymentMethods, type Card } from '#domain/cards/payment-methods.ts';
import type { CardProcessor } from '#domain/processors.ts';
import { ProblemError, type ValidationFault } from '#domain/problems.ts';
import * as schemas from './customer-schemas.ts';
import { callProblems, findInability, requireProcessor } from './processor-choice.ts';
import { customerEvent, customers } from './customers.ts';
import type { ApiDeps } from '../http/deps.ts';
import type { IdRequest, Route } from '../http/route.ts';
import { defineVerb, toNextVersion, type NounChange, type Refusal } from '../writes/noun-changes.ts';

type PaymentMethodDeps = Pick<ApiDeps, 'db' | 'config' | 'processors'>;

/** Stored cards. They have no path of their own; their customer shows them. */
export function paymentMethodRoutes(deps: PaymentMethodDeps): Route[] {
  const attach = defineVerb(deps, customers, 'attach-payment-method', {
    access: 'customers:write',
    summary: 'Store the card of a token; it becomes the first payment method',
    description:
      'The processor describes the card of the token: a token that it does not know is a 422. A customer has at most 100 cards.',
    body: schemas.attachment,
    problems: ['too_many_payment_methods', 'processor_not_available', 'processor_cannot', ...callProblems],
    change: (request, read) => attachCard(deps, request, read),
  });

  const detach = defineVerb(deps, customers, 'detach-payment-method', {
    access: 'customers:write',
    summary: 'Remove a payment method; charges made with it continue',
    description:
      'The card cannot be charged any more. If it was the default one, the customer has none then.',
    body: schemas.detachment,
    change({ body: { payment_method: id } }, read) {
      const paymentMethods = read.paymentMethods.filter((one) => one.id !== id);
      if (paymentMethods.length === read.paymentMethods.length) throw invalid(notAttached('/payment_method'));
      const defaultPaymentMethod = read.defaultPaymentMethod === id ? null : read.defaultPaymentMethod;
      const to = toNextVersion(read, { paymentMethods, defaultPaymentMethod });
      return {
        to,
        change: buildDetachment(read, id, to.updatedAt),
        event: customerEvent('customer.updated', to),
      };
    },
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

async function attachCard(
  deps: PaymentMethodDeps,
  { account, body: { token } }: IdRequest<z.output<typeof schemas.attachment>>,
  read: Customer,
): Promise<NounChange<Customer> | Refusal> {
  if (read.paymentMethods.length >= maxPaymentMethods) return { code: 'too_many_payment_methods' };
  const asked = { currency: null, card: null, token: null, terms: null };
  const { processorId, processor } = await requireProcessor(deps, account, asked);
  const inability = await findInability(deps, processorId, 'describeToken');
  if (inability) throw new ProblemError('processor_cannot', { detail: inability });
  const added = { id: newId('paymentMethod'), card: await describeCard(processor, token) };
  const to = toNextVersion(read, { paymentMethods: [added, ...read.paymentMethods] });
  const change = buildAttachment(read, added, { processorToken: token, processorId }, to.updatedAt);
  return { to, change, event: customerEvent('customer.updated', to) };
}

/** @throws {ProblemError} `validation_failed` for a token without a card, `processor_*`. */
async function describeCard(processor: OpenProcessor, token: string): Promise<Card> {
  const card = await call({ processor }, 'describeToken', token);
  if (card instanceof ProcessorFault) throw notDescribed(card);
  if (card) return card;
  const detail = 'The processor knows no such token.';
  throw invalid({ pointer: '/token', code: 'not_found', detail });
}

/** The question has no effect, so nothing happened whatever the fault is. */
function notDescribed(fault: ProcessorFault): ProblemError {
  const detail =
    'The processor could not be asked about the token. Nothing was changed. Retry with the same key.';
  return new ProblemError(fault.code, { detail, headers: { 'retry-after': '1' }, cause: fault });
}

function invalid(fault: ValidationFault): ProblemError {
  return new ProblemError('validation_failed', { extras: { errors: [fault] } });
}
