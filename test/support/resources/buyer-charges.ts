import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { insertProcessor, insertProcessorSecret, useProcessor } from '#db/access/processors.ts';
import { newId } from '#db/new-id.ts';
import { stripeKind } from '#processor/stripe/kind.ts';
import { readConfig } from '#startup/config.ts';
import type { Environment, Fault } from '../stack/environment.ts';
import { rememberSecret } from '../stack/leaks.ts';
import {
  createMerchant,
  type AccountSettings,
  type ChargeBody,
  type HttpAnswer,
  type Merchant,
} from './merchant.ts';

/** Charges whose buyer must confirm them: by Stripe's adapter, over the stack's sandbox, which speaks like Stripe. */

const signingSecret = 'whsec_of-the-charges-that-ask-their-buyer';

/** Where the merchant wants its buyer back. */
export const shop = 'https://shop.example/orders/6735?step=paid';

const registered = new WeakMap<Environment, Promise<string>>();

/** Returns the id of the stack's sandbox as Stripe. It notifies nobody of these charges: see {@link notify}. */
function registerStripe(env: Environment): Promise<string> {
  const known = registered.get(env) ?? register(env);
  registered.set(env, known);
  return known;
}

async function register({ db, stack }: Environment): Promise<string> {
  const { processorUrl: url, secrets } = stack;
  const key = secrets.stripe.key;
  const { secretsKey } = readConfig(stack.env);
  const { externalAccount, mode } = await stripeKind.checkKey({ key, url, externalAccount: null });
  const id = newId('processor');
  const row = { id, kind: 'stripe', name: 'Stripe', mode, externalAccount, url, options: {}, key };
  await insertProcessor(db, secretsKey, row);
  const signing = { id: newId('processor'), processorId: id, secret: signingSecret };
  await insertProcessorSecret(db, secretsKey, signing);
  return id;
}

/** A merchant whose charges go to Stripe. */
export async function createBuyerMerchant(
  env: Environment,
  settings: AccountSettings = {},
): Promise<Merchant> {
  const merchant = await createMerchant(settings);
  await useProcessor(env.db, merchant.accountId, await registerStripe(env), null);
  return merchant;
}

/** A charge that asks its buyer. */
export const chargeBuyer = (merchant: Merchant, body: object = {}, options: object = {}) =>
  merchant.charge({ payment_method: 'tok_3ds', return_url: shop, ...body }, options);

/** Returns the bank's page that the answer sends the buyer to. */
export function findAction({ status, body }: HttpAnswer<ChargeBody>): string {
  assert.equal(status, 202);
  assert.equal(body.status, 'requires_action');
  const url = body.next_action?.url ?? assert.fail('there is nothing to confirm');
  rememberSecret(url);
  return url;
}

/** Presses a button of the bank's page. Returns where the buyer is sent. */
export async function press(url: string, outcome: 'confirm' | 'fail'): Promise<string> {
  const body = new URLSearchParams({ outcome });
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  return answer.headers.get('location') ?? assert.fail(`the page answers ${answer.status}`);
}

/** Follows the buyer back through our own address. Returns where the merchant's page is. */
export async function comeBack(url: string): Promise<string> {
  const answer = await fetch(url, { redirect: 'manual' });
  assert.equal(answer.status, 303);
  return answer.headers.get('location')!;
}

/** Tells of a change of a charge, signed as Stripe does it. */
export async function notify(env: Environment, chargeId: string): Promise<void> {
  const at = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    type: 'payment_intent.processing',
    livemode: false,
    data: { object: { id: 'pi_1', object: 'payment_intent', metadata: { charge: chargeId } } },
  });
  const mac = createHmac('sha256', signingSecret).update(`${at}.${body}`).digest('hex');
  const path = `/processor/notifications/${await registerStripe(env)}`;
  const answer = await fetch(env.stack.apiUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${mac}` },
    body,
  });
  assert.equal(answer.status, 204);
}

/** Does something with a charge at Stripe itself, as its Dashboard does. */
export async function actAtStripe(
  { db, stack }: Environment,
  chargeId: string,
  action: 'capture' | 'cancel',
): Promise<void> {
  const { processor_ref: ref } = await db('charges').where({ id: chargeId }).first();
  const answer = await fetch(`${stack.processorUrl}/v1/payment_intents/${ref}/${action}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${stack.secrets.stripe.key}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: '',
  });
  assert.equal(answer.status, 200, await answer.text());
}

/** Has the confirmation of a charge lose its answer, once. */
export function loseConfirmation(env: Environment, key?: string): Promise<void> {
  const fault = { route: 'stripe_confirm', mode: 'garbage', when: 'after', times: 1, ...(key && { key }) };
  return env.stageFault(fault as unknown as Fault);
}
