-- Charges and refunds. What a row says decides the next step, so a run can be lost and begun again.

-- A payment. Its columns hold what was asked for, what the processor did, and what is still to be done.
create table charges (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts (id) on delete cascade,
  -- A claim makes one charge.
  claim_id text collate "C" not null unique,
  workflow_id text collate "C" not null,

  -- minor units
  amount bigint not null check (amount between 1 and 99999999999),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  capture_method text not null check (capture_method in ('automatic', 'manual')),
  customer_id text collate "C",
  payment_method text not null,
  description text,
  statement_descriptor text,
  -- the merchant's own name of what is paid, such as the number of an order
  reference text,
  metadata json not null default '{}',
  -- {description, reference}: as the processor is told of an open charge where they have changed since
  first_terms json,
  -- where the buyer comes back to; null: the charge may not ask its buyer for anything
  return_url text,
  -- the batch that it is a row of, and the row, from 0
  from_batch_id text collate "C",
  from_batch_row integer,

  status text not null check (status in
    ('pending', 'requires_action', 'requires_capture', 'succeeded', 'failed', 'cancelled')),
  amount_captured bigint not null default 0,
  amount_refunded bigint not null default 0,
  -- what the processor took back after it had paid it
  amount_returned bigint not null default 0,
  failure json,
  -- where the buyer confirms it, and until when
  action_url text,
  action_expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null default clock_timestamp(),
  captured_at timestamptz,
  cancelled_at timestamptz,
  -- when the authorization lapses
  expires_at timestamptz,
  version integer not null default 1,

  -- A processor with charges is never deleted. Null: the built-in one.
  processor_id text collate "C" constraint charges_processor references processors (id),
  processor_token text not null,
  -- the processor's own reference of the payment
  processor_ref text collate "C" constraint charges_processor_ref check (length(processor_ref) between 1 and 255),
  -- parts of the keys of its calls; a new attempt is made after a failure that the processor would repeat
  processor_attempt integer not null default 1,
  capture_attempt integer not null default 1,
  -- the processor has taken the payment and not decided yet
  processor_pending boolean not null default false,
  -- the last call that gave no usable answer
  processor_fault text,
  -- the first send that may have had an effect, by this clock; null: none had one
  sent_at timestamptz,
  -- sends that were begun, whether they came to anything or not
  sends integer not null default 0,

  -- the capture that was begun
  capture_claim_id text collate "C",
  capture_amount bigint,
  -- why it is voided, from when the void was begun
  void_reason text check (void_reason in ('cancelled', 'expired', 'action_expired', 'unresolved')),
  cancel_requested_at timestamptz,
  -- when the sweep last woke the run for the cancel: it does so ever less often
  cancel_woken_at timestamptz,

  -- until then an API process takes its steps; null: its workflow does
  leased_until timestamptz,
  -- The batch that takes its steps instead of a workflow, until it has settled the row or handed it over. No foreign key:
  -- it is set and cleared with every row of a batch, and checking it would cost each of them.
  charge_batch_id text collate "C",
  -- when the sweep last saw that something takes its steps: a queue, in which a new row stands last
  checked_at timestamptz default clock_timestamp(),
  -- which transaction made it: exports show what was there when they were asked for
  created_xid xid8 not null default pg_current_xact_id(),

  -- Never more money moves than was asked for, authorized and captured.
  constraint charges_captured check (amount_captured between 0 and amount),
  constraint charges_refunded check (amount_refunded between 0 and amount_captured),
  constraint charges_returned check (amount_returned between 0 and amount_captured),
  constraint charges_capture_amount check (capture_amount between 1 and amount),
  -- A capture has an amount from its begin.
  constraint charges_capture_begun check ((capture_claim_id is null) = (capture_amount is null)),
  -- A status says what happened: money was taken, why not, when it was cancelled, until when it can be captured.
  constraint charges_succeeded check ((status = 'succeeded') = (amount_captured > 0)),
  constraint charges_failed check ((status = 'failed') = (failure is not null)),
  constraint charges_cancelled check ((status = 'cancelled') = (cancelled_at is not null)),
  constraint charges_expires check (status <> 'requires_capture' or expires_at is not null),
  -- A buyer is asked at one place, for a limited time, and can come back.
  constraint charges_action check (
    (status = 'requires_action') = (action_url is not null)
    and (action_url is null) = (action_expires_at is null)
    and (action_url is null or return_url is not null)
    and length(action_url) <= 4096)
);
-- Lists of an account, newest first, and their filter by time: the id carries the time.
create index charges_account on charges (account_id, id);
create index charges_account_status on charges (account_id, status, id);
create index charges_account_customer on charges (account_id, customer_id, id) where customer_id is not null;
create index charges_account_reference on charges (account_id, reference, id) where reference is not null;
-- The charges of a batch.
create index charges_from_batch on charges (from_batch_id, id) where from_batch_id is not null;
-- The sweep's queue of open charges.
create index charges_open on charges (checked_at nulls first)
  where status in ('pending', 'requires_action', 'requires_capture');
-- The open charges of workflows that have ended.
create index charges_open_workflow on charges (workflow_id)
  where status in ('pending', 'requires_action', 'requires_capture');
-- Cancels that may have to be signalled again.
create index charges_cancelling on charges (cancel_requested_at)
  where status in ('pending', 'requires_action', 'requires_capture') and cancel_requested_at is not null;
-- Open charges whose API process died.
create index charges_leased on charges (leased_until)
  where leased_until is not null and status in ('pending', 'requires_action', 'requires_capture');
-- Charges of unknown outcome, for operators: oldest first.
create index charges_unknown on charges (id) where status in ('pending', 'requires_action', 'requires_capture')
  and (status = 'pending' or capture_claim_id is not null or void_reason is not null);

create function keep_processor() returns trigger language plpgsql as $$
begin
  raise exception 'charge % stays with its processor', old.id
    using errcode = 'check_violation', constraint = 'charges_processor_kept';
end $$;
-- The claim decides the processor, and its first reference is kept: money moves under that one only.
create trigger charges_processor_kept before update of processor_id, processor_ref on charges for each row
  when (old.processor_id is distinct from new.processor_id
    or (old.processor_ref is not null and old.processor_ref is distinct from new.processor_ref))
  execute function keep_processor();

-- Money that goes back from a charge. Its amount is held on the charge from its begin.
create table refunds (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts (id) on delete cascade,
  charge_id text collate "C" not null references charges (id) on delete cascade,
  -- A claim makes one refund.
  claim_id text collate "C" not null unique,
  workflow_id text collate "C" not null,
  -- minor units
  amount bigint not null check (amount between 1 and 99999999999),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  reason text check (reason in ('duplicate', 'fraudulent', 'requested_by_customer')),
  metadata json not null default '{}',
  status text not null check (status in ('pending', 'processed', 'settled', 'failed', 'reversed')),
  failure json,
  created_at timestamptz not null,
  updated_at timestamptz not null default clock_timestamp(),
  reversible_until timestamptz,
  settles_at timestamptz,
  version integer not null default 1,
  -- as those of a charge
  processor_attempt integer not null default 1,
  processor_pending boolean not null default false,
  processor_fault text,
  -- not sent again before then
  send_after timestamptz,
  -- the reversal that was begun
  reversal_claim_id text collate "C",
  -- as those of a charge
  checked_at timestamptz default clock_timestamp(),
  created_xid xid8 not null default pg_current_xact_id(),
  -- A status says what happened: why it failed, until when it can be reversed, when it settles.
  constraint refunds_failed check ((status = 'failed') = (failure is not null)),
  constraint refunds_processed check ((status in ('pending', 'failed')) = (reversible_until is null)),
  constraint refunds_settles check ((reversible_until is null) = (settles_at is null)),
  -- A settled refund is never reversed.
  constraint refunds_settlement_after_reversal check (settles_at >= reversible_until),
  -- Only a processed refund is reversed, and under a claim.
  constraint refunds_reversal_begun check (reversal_claim_id is null or status in ('processed', 'reversed')),
  constraint refunds_reversed check (reversal_claim_id is not null or status <> 'reversed')
);
-- Lists of an account, newest first, and their filter by time.
create index refunds_account on refunds (account_id, id);
create index refunds_account_status on refunds (account_id, status, id);
create index refunds_account_charge on refunds (account_id, charge_id, id);
-- The foreign key, when an account is deleted with its charges.
create index refunds_charge on refunds (charge_id);
-- The sweep's queue of open refunds.
create index refunds_open on refunds (checked_at nulls first) where status in ('pending', 'processed');
-- The open refunds of workflows that have ended.
create index refunds_open_workflow on refunds (workflow_id) where status in ('pending', 'processed');
-- Counts those that have been pending for long.
create index refunds_pending on refunds (id) where status = 'pending';
-- Refunds and reversals of unknown outcome, for operators: oldest first.
create index refunds_unknown on refunds (id)
  where status = 'pending' or (status = 'processed' and reversal_claim_id is not null);
