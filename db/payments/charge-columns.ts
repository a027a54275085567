import { integer, json, orNull, plain, text, time, timeText, type ExportTable } from '../export-columns.ts';
import { declines } from '#domain/cards/decline-advice.ts';

/** The columns of `charges`: as they are read, made from a request, and exported. A new field is added here. */

/** Columns of `charges c` that make a {@link ChargeView}, and no more: each costs a reader time. */
export const viewColumns = `c.id, c.account_id, c.amount, c.currency, c.status, c.capture_method, c.amount_captured,
  c.amount_refunded, c.amount_returned, c.customer_id, c.payment_method, c.reference, c.description, c.statement_descriptor, c.metadata, c.failure, c.receipt,
  c.processor_id, c.processor_kind,  c.created_at, c.updated_at, c.captured_at, c.cancel_requested_at, c.cancelled_at, c.expires_at,
  c.action_url, c.action_expires_at, c.from_batch_id, c.from_batch_row, c.version`;

/** The `processorDescription` of charges `c`. */
export const processorDescription = `case when c.first_terms is null then c.description
  else c.first_terms->>'description' end`;

/** The `processorReference` of charges `c`. */
const processorReference = `case when c.first_terms is null then c.reference
  else c.first_terms->>'reference' end`;

/** Columns of `charges c` that make a {@link Charge}. */
export const chargeColumns = `${viewColumns}, c.claim_id, c.workflow_id, c.processor_token, c.return_url,
  c.processor_ref, ${processorDescription} as processor_description,
  ${processorReference} as processor_reference, c.processor_attempt, c.capture_attempt, c.processor_pending, c.processor_fault, c.capture_claim_id, c.capture_amount, c.void_reason`;

/** The columns that a request gives, in the order of {@link toRequestedValues}. */
export const requestedColumns = `amount, currency, capture_method, customer_id, reference, description,
  statement_descriptor, return_url, metadata`;

/** Returns the values of {@link requestedColumns}, in SQL. `request` is an expression that holds a `NewCharge` as JSON. */
export function toRequestedValues(request: string): string {
  return `(${request}->>'amount')::bigint, ${request}->>'currency', ${request}->>'captureMethod',
    ${request}->>'customerId', ${request}->>'reference', ${request}->>'description',
    ${request}->>'statementDescriptor', ${request}->>'returnUrl',
    (${request}->'metadata')::json`;
}

/** The failure in versions before `domain/versions/version-2026-11-01.ts`. */
const failureFlat = [
  orNull(plain('failure_code', spellFailure(`failure->>'code'`))),
  text('failure_message', `(failure->>'message')`),
];

/** Like `adviseAfter` of `domain/cards/decline-advice.ts`. */
const advice = `case when failure->>'code' = 'card_declined' then coalesce(failure->>'advice',
  case failure->>'decline_code' ${Object.entries(declines)
    .map(([code, decline]) => `when '${code}' then '${decline.advice}'`)
    .join(' ')} else '${declines.generic_decline.advice}' end) end`;

/** Like `presentFailure` of `domain/charge-failures.ts`. */
const chargeFailure = {
  ...json(
    'failure',
    `case when failure is not null then json_build_object('code', failure->'code', 'decline_code',
      failure->'decline_code', 'advice', ${advice}, 'message', failure->'message')::text end`,
  ),
  cells: [
    orNull(plain('failure_code', `(failure->>'code')`)),
    orNull(plain('failure_decline_code', `(failure->>'decline_code')`)),
    orNull(plain('failure_advice', `(${advice})`)),
    text('failure_message', `(failure->>'message')`),
  ],
};

/** Like `presentAction` of `domain/charges.ts`. */
const nextAction = {
  ...json(
    'next_action',
    `case when status = 'requires_action' and cancel_requested_at is null then json_build_object(
      'type', 'redirect', 'url', action_url, 'expires_at', ${timeText('action_expires_at')} || 'Z')::text end`,
  ),
  cells: [
    text('next_action_url', `case when cancel_requested_at is null then action_url end`),
    orNull(
      time('next_action_expires_at', `case when cancel_requested_at is null then action_expires_at end`),
    ),
  ],
};

/** The members of a receipt that have several values, each with its cells. */
const receiptMembers = {
  card: ['brand', 'last4', 'exp_month', 'exp_year', 'funding', 'country', 'wallet', 'fingerprint'],
  checks: ['cvc', 'postal_code'],
  three_d_secure: ['result', 'liability_shifted'],
};

/** Like `presentCharge` of `domain/charges.ts`. */
const receiptColumns = [
  ...Object.entries(receiptMembers).map(([name, members]) => ({
    ...json(name, `receipt->>'${name}'`),
    cells: members.map((member) => text(`${name}_${member}`, `receipt->'${name}'->>'${member}'`)),
  })),
  text('authorization_code', `receipt->>'authorization_code'`),
  {
    ...json(
      'processor',
      `json_build_object('id', processor_id, 'kind', processor_kind, 'reference', receipt->>'reference')::text`,
    ),
    cells: [
      text('processor_id'),
      text('processor_kind'),
      text('processor_reference', `receipt->>'reference'`),
    ],
  },
];

/** The cell of a charge outside of a batch is empty. */
const batchRow = {
  ...json('charge_batch_row', 'from_batch_row::text'),
  cells: [orNull(plain('charge_batch_row', 'from_batch_row::text'))],
};

/** The lines of an export. */
export const chargeExport: ExportTable = {
  table: 'charges',
  position: { sql: 'id', type: 'text', first: '' },
  object: 'charge',
  columns: (version) => [
    plain('id'),
    integer('amount'),
    plain('currency'),
    version < '2026-11-01' ? plain('status', spellStatus('status')) : plain('status'),
    plain('capture_method'),
    integer('amount_captured'),
    integer('amount_refunded'),
    ...(version < '2026-11-01' ? [] : [integer('amount_returned')]),
    { name: 'refunded', kind: 'boolean', sql: 'amount_captured > 0 and amount_refunded = amount_captured' },
    orNull(plain('customer', 'customer_id')),
    plain('payment_method'),
    ...(version < '2026-11-01' ? [] : receiptColumns),
    ...(version < '2026-11-01' ? [] : [text('reference')]),
    text('description'),
    text('statement_descriptor'),
    json('metadata'),
    ...(version < '2026-11-01' ? failureFlat : [chargeFailure, nextAction]),
    time('created', 'created_at'),
    time('updated', 'updated_at'),
    orNull(time('captured_at')),
    orNull(time('cancel_requested_at')),
    orNull(time('cancelled_at')),
    orNull(time('expires_at')),
    ...(version < '2026-11-01' ? [] : [orNull(plain('charge_batch', 'from_batch_id')), batchRow]),
  ],
};

/** An event's `object` that is a charge, as text, in versions before `domain/versions/version-2026-11-01.ts`. */
export const olderChargeObject = `((object::jsonb
  - '{failure,next_action,reference,amount_returned,charge_batch,charge_batch_row,
    card,checks,three_d_secure,authorization_code,processor}'::text[]) || jsonb_build_object(
  'status', ${spellStatus(`object->>'status'`)},
  'failure_code', ${spellFailure(`object->'failure'->>'code'`)}, 'failure_message', object->'failure'->'message'))::text`;

function spellStatus(status: string): string {
  return `case ${status} when 'succeeded' then 'paid' when 'requires_action' then 'pending' else ${status} end`;
}

function spellFailure(code: string): string {
  return `case when ${code} in ('authentication_expired', 'capture_failed') then 'card_declined' else ${code} end`;
}
