import assert from 'node:assert/strict';
import type { Environment } from '../stack/environment.ts';
import { assertInvariants } from '../invariants/invariants.ts';
import type { ChargeBody, HttpAnswer, Merchant } from './merchant.ts';
import { chargeRuns } from './runs.ts';

/** The account's only charge succeeded, was captured once, and was told of once. */
export async function assertChargedOnce(
  env: Environment,
  merchant: Merchant,
  answer: HttpAnswer<ChargeBody>,
): Promise<void> {
  assert.deepEqual([answer.status, answer.body.status], [201, 'succeeded'], answer.text);
  const { id, amount } = answer.body;
  const books = await env.books(id);
  assert.deepEqual(
    books.map((entry) => [entry.kind, entry.amount]),
    [['capture', amount]],
  );
  const charges = await env.db('charges').where('account_id', merchant.accountId);
  const events = await env.db('events').where('account_id', merchant.accountId);
  assert.deepEqual(
    [charges.map((charge) => charge.id), events.map(({ type }) => type)],
    [[id], ['charge.succeeded']],
  );
  await assertInvariants(env, { accountIds: [merchant.accountId] });
}

/** No row, no money, and no claim that could still become either, under a key that runs were started for. */
export async function assertNothingHappened(
  env: Environment,
  merchant: Merchant,
  key: string,
): Promise<void> {
  assert.deepEqual(await env.db('charges').where('account_id', merchant.accountId), []);
  assert.deepEqual(await env.db('events').where('account_id', merchant.accountId), []);
  for (const { chargeId } of await chargeRuns(env, merchant, key)) {
    assert.deepEqual(await env.books(chargeId), []);
  }
}
