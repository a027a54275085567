import { z } from 'zod';
import type { Outcome } from './confirm.ts';
import type { Draft } from './draft.ts';
import { invalidRequest, missingResource, StripeRefusal } from './errors.ts';
import { expand, id, metadata, text } from './form.ts';
import { newId } from './ids.ts';
import { present, presentMethod, presentToken } from './present.ts';
import type { MethodRecord } from './records.ts';
import { recordOf } from './state.ts';
import { ok, type StripeRequest } from './request.ts';
import { findStripeToken, tokenNameByCard } from './tokens.ts';

const numbered = z.strictObject({
  number: text.max(30),
  exp_month: text.max(2),
  exp_year: text.max(4),
  cvc: text.max(4).optional(),
});
type Numbered = z.output<typeof numbered>;

export const methodParams = z.strictObject({
  type: z.literal('card'),
  card: z.union([z.strictObject({ token: id }), numbered]),
  metadata: metadata.default({}),
  expand,
});
export const tokenParams = z.strictObject({ card: numbered, expand });
export const attachParams = z.strictObject({ customer: id, expand });
export const customerParams = z.strictObject({
  name: text.max(256).optional(),
  email: text.max(512).optional(),
  description: text.optional(),
  metadata: metadata.default({}),
  expand,
});

/** Returns the token's name behind a test card. Any other number is refused, and kept nowhere. */
function tokenOfCard({ number }: Numbered): string {
  const name = tokenNameByCard(number);
  if (name) return name;
  const code = 'incorrect_number';
  throw new StripeRefusal(402, { type: 'card_error', code, message: 'Your card number is incorrect.' });
}

/** Uses a token: one that a client made serves once. */
function useToken(draft: Draft, name: string): string {
  const made = recordOf(draft.get(name), 'token');
  if (!made || made.account !== draft.account) {
    const known = findStripeToken(name);
    if (!known || !name.startsWith('tok_')) throw missingResource('token', name, 'card[token]');
    return known.name;
  }
  if (made.isUsed) {
    const message = `You cannot use a Stripe token more than once: ${name}.`;
    throw invalidRequest(message, { code: 'token_already_used', param: 'card[token]' });
  }
  draft.put({ ...made, isUsed: true });
  return made.token;
}

function makeMethod(draft: Draft, token: string, own: Record<string, string> = {}): MethodRecord {
  const method: MethodRecord = {
    kind: 'payment_method',
    id: newId('pm'),
    account: draft.account,
    created: draft.created,
    token,
    customer: null,
    usedBy: null,
    isDetached: false,
    metadata: own,
  };
  draft.put(method);
  return method;
}

/** Returns the payment method of this id. A name such as `pm_card_visa` makes a new one each time. @throws {StripeRefusal} */
export function findOrMakeMethod(draft: Draft, method: string): MethodRecord {
  const token = method.startsWith('pm_card_') ? findStripeToken(method) : undefined;
  return token ? makeMethod(draft, token.name) : draft.find('payment_method', method, 'payment_method');
}

/** Handles POST /v1/payment_methods. */
export function createMethod({ draft, params }: StripeRequest<z.output<typeof methodParams>>): Outcome {
  const { card } = params;
  const token = 'token' in card ? useToken(draft, card.token) : tokenOfCard(card);
  return ok(presentMethod(makeMethod(draft, token, params.metadata)));
}

/** Handles POST /v1/payment_methods/{payment_method}/attach. */
export function attachMethod({
  draft,
  params,
  id: of,
}: StripeRequest<z.output<typeof attachParams>>): Outcome {
  const customer = draft.find('customer', params.customer, 'customer');
  const method = findOrMakeMethod(draft, of);
  if (method.isDetached || method.usedBy !== null) {
    throw invalidRequest('The provided PaymentMethod may not be used again.', { param: 'payment_method' });
  }
  if (method.customer !== null && method.customer !== customer.id) {
    const message = 'The payment method you provided has already been attached to a customer.';
    throw invalidRequest(message, { param: 'payment_method' });
  }
  const attached = { ...method, customer: customer.id };
  draft.put(attached);
  draft.tell('payment_method.attached', method.id);
  return ok(presentMethod(attached));
}

/** Handles POST /v1/payment_methods/{payment_method}/detach. */
export function detachMethod({ draft, id: of }: StripeRequest<unknown>): Outcome {
  const method = draft.find('payment_method', of, 'payment_method');
  if (method.customer === null) {
    const message =
      'The payment method you provided is not attached to a customer so detachment is impossible.';
    throw invalidRequest(message, { param: 'payment_method' });
  }
  const detached = { ...method, customer: null, isDetached: true };
  draft.put(detached);
  draft.tell('payment_method.detached', method.id);
  return ok(presentMethod(detached));
}

/** Handles GET /v1/payment_methods/{payment_method}. Stripe's test names answer too. */
export function retrieveMethod({ draft, id: of }: StripeRequest<unknown>): Outcome {
  const token = of.startsWith('pm_card_') ? findStripeToken(of) : undefined;
  if (!token) return ok(presentMethod(draft.find('payment_method', of, 'payment_method')));
  const named = { id: of, account: draft.account, created: draft.created, token: token.name, metadata: {} };
  const unused = { customer: null, usedBy: null, isDetached: false };
  return ok(presentMethod({ kind: 'payment_method', ...named, ...unused }));
}

/** Handles POST /v1/tokens. */
export function createToken({ draft, params }: StripeRequest<z.output<typeof tokenParams>>): Outcome {
  const own = { id: newId('tok'), account: draft.account, created: draft.created };
  const token = { kind: 'token', ...own, token: tokenOfCard(params.card), isUsed: false } as const;
  draft.put(token);
  return ok(presentToken(token));
}

/** Handles GET /v1/tokens/{token}. */
export function retrieveToken({ draft, id: of }: StripeRequest<unknown>): Outcome {
  const known = of.startsWith('tok_') ? findStripeToken(of) : undefined;
  if (!known) return ok(presentToken(draft.find('token', of, 'token')));
  return ok(presentToken({ id: of, created: draft.created, token: known.name, isUsed: false }));
}

/** Handles POST /v1/customers. */
export function createCustomer({ draft, params }: StripeRequest<z.output<typeof customerParams>>): Outcome {
  const own = { id: newId('cus'), account: draft.account, created: draft.created };
  const { name = null, email = null, description = null } = params;
  const customer = { kind: 'customer', ...own, name, email, description, metadata: params.metadata } as const;
  draft.put(customer);
  draft.tell('customer.created', customer.id);
  return ok(present(draft, customer));
}
