import { z } from 'zod';
import { confirm, type ConfirmParams, type Outcome } from './confirm.ts';
import type { Draft } from './draft.ts';
import { invalidRequest, type StripeRefusal } from './errors.ts';
import { boolean, expand, id, integer, metadata, text } from './form.ts';
import { newId, randomLetters } from './ids.ts';
import { findOrMakeMethod } from './methods.ts';
import { checkChargeAmount, checkCurrency, checkDigits } from './money.ts';
import { cancelOpen, captureReserved } from './payments.ts';
import { presentIntent } from './present.ts';
import type { IntentRecord } from './records.ts';
import { ok, type StripeRequest } from './request.ts';

const confirming = {
  return_url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional(),
  error_on_requires_action: boolean.optional(),
  off_session: boolean.optional(),
  use_stripe_sdk: boolean.optional(),
  receipt_email: text.optional(),
  expand,
};

export const createParams = z.strictObject({
  amount: integer,
  currency: text.max(10),
  payment_method: id.optional(),
  capture_method: z.enum(['automatic', 'automatic_async', 'manual']).default('automatic_async'),
  confirmation_method: z.enum(['automatic', 'manual']).default('automatic'),
  payment_method_types: z.array(z.literal('card')).min(1).optional(),
  automatic_payment_methods: z
    .strictObject({ enabled: boolean, allow_redirects: z.enum(['always', 'never']).optional() })
    .optional(),
  description: text.max(1000).optional(),
  statement_descriptor: text.optional(),
  statement_descriptor_suffix: text.max(22).optional(),
  metadata: metadata.default({}),
  confirm: boolean.optional(),
  ...confirming,
});
type CreateParams = z.output<typeof createParams>;

export const confirmParams = z.strictObject({ payment_method: id.optional(), ...confirming });
export const captureParams = z.strictObject({
  amount_to_capture: integer.optional(),
  final_capture: boolean.optional(),
  metadata: metadata.default({}),
  statement_descriptor_suffix: text.max(22).optional(),
  expand,
});
export const cancelParams = z.strictObject({
  cancellation_reason: z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  expand,
});

function checkCreate(params: CreateParams, currency: string): void {
  checkCurrency(currency);
  if (params.amount < 1) {
    throw invalidRequest('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' });
  }
  checkChargeAmount(params.amount, currency);
  if (params.statement_descriptor !== undefined) {
    const param = 'statement_descriptor';
    throw invalidRequest('For card charges, use statement_descriptor_suffix.', { param });
  }
  if (params.statement_descriptor_suffix !== undefined) checkSuffix(params.statement_descriptor_suffix);
}

/** @throws {StripeRefusal} for a text that Stripe's rules of statement descriptors do not allow. */
function checkSuffix(suffix: string): void {
  const param = 'statement_descriptor_suffix';
  if (!/[a-z]/i.test(suffix))
    throw invalidRequest('The statement descriptor must contain at least one letter.', { param });
  if (/[<>\\'"*]/.test(suffix))
    throw invalidRequest('The statement descriptor contains a character that is not allowed.', { param });
  if (`${statementPrefix}* ${suffix}`.length > 22)
    throw invalidRequest('The statement descriptor must be at most 22 characters.', { param });
}

/** The account's own text on statements. */
export const statementPrefix = 'SANDBOX';

function newIntent(draft: Draft, params: CreateParams, currency: string): IntentRecord {
  const method = params.payment_method ? findOrMakeMethod(draft, params.payment_method) : null;
  const intentId = newId('pi');
  return {
    kind: 'payment_intent',
    id: intentId,
    account: draft.account,
    created: draft.created,
    secret: `${intentId}_secret_${randomLetters(25)}`,
    amount: params.amount,
    currency,
    captureMethod: params.capture_method,
    confirmationMethod: params.confirmation_method,
    method: method?.id ?? null,
    description: params.description ?? null,
    descriptorSuffix: params.statement_descriptor_suffix ?? null,
    metadata: params.metadata,
    status: method ? 'requires_confirmation' : 'requires_payment_method',
    amountReceived: 0,
    amountCapturable: 0,
    canceledAt: null,
    cancellationReason: null,
    latestCharge: null,
    failure: null,
    returnUrl: null,
    actionUrl: null,
    isAuthenticated: false,
    fruitless: 0,
    dueAt: null,
  };
}

/** Handles POST /v1/payment_intents. */
export function createIntent(request: StripeRequest<CreateParams>): Outcome {
  const { draft, params } = request;
  const currency = params.currency.toLowerCase();
  checkCreate(params, currency);
  const intent = newIntent(draft, params, currency);
  draft.put(intent);
  draft.tell('payment_intent.created', intent.id);
  return params.confirm ? confirm(draft, intent, request) : ok(presentIntent(draft, intent));
}

/** Handles POST /v1/payment_intents/{intent}/confirm. */
export function confirmIntent(
  request: StripeRequest<ConfirmParams & { payment_method?: string | undefined }>,
): Outcome {
  const { draft, params } = request;
  const intent = draft.find('payment_intent', request.id, 'intent');
  const isOpen = intent.status === 'requires_payment_method' || intent.status === 'requires_confirmation';
  if (!params.payment_method || !isOpen) return confirm(draft, intent, request);
  const method = findOrMakeMethod(draft, params.payment_method);
  const isAuthenticated = intent.isAuthenticated && method.id === intent.method;
  return confirm(
    draft,
    { ...intent, method: method.id, isAuthenticated, status: 'requires_confirmation' },
    request,
  );
}

function unexpected(draft: Draft, intent: IntentRecord, verb: string, among: string): StripeRefusal {
  const message =
    `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}. ` +
    `Only a PaymentIntent with one of the following statuses may be used so: ${among}.`;
  const code = 'payment_intent_unexpected_state';
  return invalidRequest(message, { code, payment_intent: presentIntent(draft, intent) });
}

/** Handles POST /v1/payment_intents/{intent}/capture. */
export function captureIntent(request: StripeRequest<z.output<typeof captureParams>>): Outcome {
  const { draft, params } = request;
  const intent = draft.find('payment_intent', request.id, 'intent');
  if (intent.status !== 'requires_capture') throw unexpected(draft, intent, 'capture', 'requires_capture');
  const amount = params.amount_to_capture ?? intent.amountCapturable;
  const param = 'amount_to_capture';
  if (amount > intent.amountCapturable) {
    const message = 'The requested capture amount is greater than the authorized amount.';
    throw invalidRequest(message, { code: 'amount_too_large', param });
  }
  if (amount < 1)
    throw invalidRequest('Invalid positive integer', { code: 'parameter_invalid_integer', param });
  checkDigits(amount, intent.currency, param);
  return ok(presentIntent(draft, captureReserved(draft, intent, amount, params.metadata)));
}

const cancelable = new Set<IntentRecord['status']>([
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'requires_capture',
]);

/** Handles POST /v1/payment_intents/{intent}/cancel. */
export function cancelIntent(request: StripeRequest<z.output<typeof cancelParams>>): Outcome {
  const { draft, params } = request;
  const intent = draft.find('payment_intent', request.id, 'intent');
  if (!cancelable.has(intent.status)) throw unexpected(draft, intent, 'cancel', [...cancelable].join(', '));
  return ok(presentIntent(draft, cancelOpen(draft, intent, params.cancellation_reason ?? null)));
}
