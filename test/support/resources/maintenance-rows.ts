import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';

/** Inserts open rows without a workflow, as maintenance finds them after a loss. */

/** An open charge. Returns its id, which is its workflow's too, unless `columns` say otherwise. */
export async function openCharge(db: Database, accountId: string, columns: object = {}): Promise<string> {
  const id = newId('charge');
  await db('charges').insert({
    id,
    account_id: accountId,
    claim_id: newId('claim'),
    workflow_id: id,
    amount: 500,
    currency: 'EUR',
    status: 'pending',
    capture_method: 'automatic',
    payment_method: 'tok_visa',
    processor_token: 'tok_visa',
    created_at: new Date(),
    ...columns,
  });
  return id;
}

/** An open refund of a charge of its own. */
export async function openRefund(db: Database, accountId: string, columns: object = {}): Promise<string> {
  const id = newId('refund');
  const captured = {
    status: 'succeeded',
    amount_captured: 500,
    amount_refunded: 500,
    captured_at: new Date(),
  };
  await db('refunds').insert({
    id,
    account_id: accountId,
    charge_id: await openCharge(db, accountId, captured),
    claim_id: newId('claim'),
    workflow_id: id,
    amount: 500,
    currency: 'EUR',
    status: 'pending',
    created_at: new Date(),
    ...columns,
  });
  return id;
}

/** An open export. */
export async function openOperation(db: Database, accountId: string, columns: object = {}): Promise<string> {
  const id = newId('operation');
  await db('operations').insert({
    id,
    account_id: accountId,
    claim_id: newId('claim'),
    workflow_id: id,
    type: 'export',
    status: 'running',
    request: '{}',
    api_version: '2026-11-01',
    path: '/v1/exports',
    trace_id: '0'.repeat(32),
    created_at: new Date(),
    ...columns,
  });
  return id;
}

/** Keys whose time is over, the older ones of open authorizations, the others of nothing that is open. */
export async function seedExpiredKeys(
  db: Database,
  accountId: string,
  { open, closed }: { open: number; closed: number },
): Promise<void> {
  const atOnce = 50_000;
  for (let from = 0; from < open; from += atOnce)
    await db.raw(
      `insert into charges (id, account_id, claim_id, workflow_id, amount, currency, status, capture_method,
         payment_method, processor_token, created_at, expires_at)
       select 'ch_' || n, ?, 'clm_' || n, 'charge/' || n, 500, 'EUR', 'requires_capture', 'manual', 'tok_visa', 'tok_visa',
         now() - interval '3 days', now() + interval '4 days'
       from generate_series(?::int, ?::int) n`,
      [accountId, from, Math.min(open, from + atOnce) - 1],
    );
  for (let from = 0; from < open + closed; from += atOnce)
    await db.raw(
      `insert into idempotency_keys (account_id, endpoint, key, claim_id, fingerprint, resource_id, api_version, path,
         trace_id, start_by, begun_at, created_at, answered_at, answer_status, answer_headers, answer_body)
       select ?, 'POST /v1/charges', 'key' || n, 'clm_' || n, '', 'ch_' || n, '2026-11-01', '/v1/charges', 't', made, made,
         made, made, 201, '{}', convert_to(repeat('x', 200), 'UTF8')
       from (select n, now() - interval '3 days' + n * interval '1 ms' as made from generate_series(?::int, ?::int) n) s`,
      [accountId, from, Math.min(open + closed, from + atOnce) - 1],
    );
  await db.raw('analyze charges');
  await db.raw('analyze idempotency_keys');
}
