import { failure, integer, json, orNull, plain, text, time, type ExportTable } from '../export-columns.ts';

/** The columns of `charges`: as they are read, made from a request, and exported. A new field is added here. */

/** Columns of `charges c` that make a {@link ChargeView}, and no more: each costs a reader time. */
export const viewColumns = `c.id, c.account_id, c.amount, c.currency, c.status, c.capture_method, c.amount_captured,
  c.amount_refunded, c.customer_id, c.payment_method, c.description, c.statement_descriptor, c.metadata, c.failure,
  c.created_at, c.updated_at, c.captured_at, c.cancel_requested_at, c.cancelled_at, c.expires_at, c.version`;

/** Columns of `charges c` that make a {@link Charge}. */
export const chargeColumns = `${viewColumns}, c.claim_id, c.workflow_id, c.processor_token, c.processor_id,
  c.processor_ref, c.processor_attempt, c.capture_attempt, c.processor_pending, c.processor_fault, c.capture_claim_id, c.capture_amount, c.void_reason`;

/** The columns that a request gives, in the order of {@link toRequestedValues}. */
export const requestedColumns = `amount, currency, capture_method, customer_id, description, statement_descriptor,
  metadata`;

/** Returns the values of {@link requestedColumns}, in SQL. `request` is an expression that holds a `NewCharge` as JSON. */
export function toRequestedValues(request: string): string {
  return `(${request}->>'amount')::bigint, ${request}->>'currency', ${request}->>'captureMethod',
    ${request}->>'customerId', ${request}->>'description', ${request}->>'statementDescriptor',
    (${request}->'metadata')::json`;
}

/** The failure in versions before `domain/version-2026-11-01.ts`. */
const failureFlat = ['code', 'message'].map((member) => text(`failure_${member}`, `failure->>'${member}'`));

/** The lines of an export. */
export const chargeExport: ExportTable = {
  table: 'charges',
  position: { sql: 'id', type: 'text', first: '' },
  object: 'charge',
  columns: (version) => [
    plain('id'),
    integer('amount'),
    plain('currency'),
    version < '2026-11-01' ? plain('status', spellPaid('status')) : plain('status'),
    plain('capture_method'),
    integer('amount_captured'),
    integer('amount_refunded'),
    { name: 'refunded', kind: 'boolean', sql: 'amount_captured > 0 and amount_refunded = amount_captured' },
    orNull(plain('customer', 'customer_id')),
    plain('payment_method'),
    text('description'),
    text('statement_descriptor'),
    json('metadata'),
    ...(version < '2026-11-01' ? failureFlat : [failure('code', 'decline_code', 'message')]),
    time('created', 'created_at'),
    time('updated', 'updated_at'),
    orNull(time('captured_at')),
    orNull(time('cancel_requested_at')),
    orNull(time('cancelled_at')),
    orNull(time('expires_at')),
  ],
};

/** An event's `object` that is a charge, as text, in versions before `domain/version-2026-11-01.ts`. */
export const olderChargeObject = `((object::jsonb - 'failure') || jsonb_build_object(
  'status', ${spellPaid(`object->>'status'`)},
  'failure_code', object->'failure'->'code', 'failure_message', object->'failure'->'message'))::text`;

function spellPaid(status: string): string {
  return `case ${status} when 'succeeded' then 'paid' else ${status} end`;
}
