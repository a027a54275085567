import { z } from 'zod';
import type { Outcome } from './confirm.ts';
import type { Draft } from './draft.ts';
import { invalidRequest, missingResource, StripeRefusal } from './errors.ts';
import { expand, id, metadata, text } from './form.ts';
import { newId } from './ids.ts';
import { presentMethod, presentToken } from './present.ts';
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
    usedBy: null,
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

/** Handles POST /v1/tokens. */
export function createToken({ draft, params }: StripeRequest<z.output<typeof tokenParams>>): Outcome {
  const own = { id: newId('tok'), account: draft.account, created: draft.created };
  const token = { kind: 'token', ...own, token: tokenOfCard(params.card), isUsed: false } as const;
  draft.put(token);
  return ok(presentToken(token));
}
