-- Claims on idempotency keys, and what tells of what was done under them: events and timelines.

-- A claim on an Idempotency-Key: one key, one resource, one answer. It is never partitioned by time, since a key could
-- then be claimed twice.
create table idempotency_keys (
  account_id text collate "C" not null references accounts (id) on delete cascade,
  -- method and route template, 'POST /v1/charges'
  endpoint text collate "C" not null,
  key text collate "C" not null,
  claim_id text collate "C" not null unique,
  -- SHA-256 of method, concrete path and canonical body
  fingerprint bytea not null,
  -- the valid request, for begin; emptied once it is answered
  request jsonb,
  resource_id text collate "C" not null,
  api_version text not null,
  -- the concrete path and the trace, for an answer that is a problem document
  path text not null,
  trace_id text not null,
  -- a client or a member; an answer with a secret is repeated to it alone
  actor_id text collate "C",
  -- the entry of the audit, and what it says was done; null: the audit does not want it
  audit_id text collate "C",
  action text,
  created_at timestamptz not null default clock_timestamp(),
  -- if it has not begun by then, it never begins
  start_by timestamptz not null,
  begun_at timestamptz,
  answered_at timestamptz,
  answer_status smallint,
  answer_headers jsonb,
  -- repeated byte by byte
  answer_body bytea,
  -- of an answer that shows a secret: AES-256-GCM under SECRETS_KEY, its place is 'idempotency_keys/<claim id>'
  answer_encrypted boolean not null default false,
  -- The resource was open when the key's time was over, so it is kept until then. Null, as nearly always: retention has
  -- not read it yet.
  kept_until timestamptz,
  -- A key is claimed once.
  primary key (account_id, endpoint, key),
  -- An answer is there as a whole, or not at all.
  constraint idempotency_keys_answer_status check ((answered_at is null) = (answer_status is null)),
  constraint idempotency_keys_answer_body check ((answered_at is null) = (answer_body is null)),
  -- Nothing is answered that did not begin.
  constraint idempotency_keys_answered_after_begin check (answered_at is null or begun_at is not null)
);
-- Deletes claims that never began; and whether any may still begin, after a restore.
create index idempotency_keys_not_begun on idempotency_keys (start_by) where begun_at is null;
-- The commands that wait for the run of their resource (db/writes/begin.ts, "beginCommand").
create index idempotency_keys_commands on idempotency_keys (resource_id)
  where answered_at is null and endpoint in ('POST /v1/charges/{id}:capture', 'POST /v1/refunds/{id}:cancel');
-- What a key was used for, at any endpoint.
create index idempotency_keys_key on idempotency_keys (account_id, key);
-- Retention reads keys that it has not read before, oldest first.
create index idempotency_keys_retained on idempotency_keys (created_at)
  where kept_until is null and begun_at is not null;
-- Retention reads keys that had to stay.
create index idempotency_keys_kept on idempotency_keys (kept_until) where kept_until is not null;
-- The stored answers that show a customer, which are erased with it. Claims of charges and refunds have no entry here.
create index idempotency_keys_customer on idempotency_keys (resource_id) where resource_id like 'cus\_%';

create function refuse_to_free_claim() returns trigger language plpgsql as $$
begin
  -- an account takes everything along that it owns
  if tg_op = 'DELETE' and not exists (select from accounts where id = old.account_id) then
    return old;
  end if;
  raise exception 'The claim % has begun: it keeps its key until its retention is over', old.claim_id
    using errcode = 'restrict_violation', constraint = 'begun_claims_are_kept';
end $$;
-- A claim that has begun is kept for a day after its begin and its answer: one key, one resource. Only retention deletes
-- it earlier, for as long as its setting says (db/writes/key-retention.ts). A charge never fires this trigger.
create trigger begun_claims_are_kept before delete on idempotency_keys for each row
  when (old.begun_at is not null
    and greatest(old.created_at, old.answered_at) > clock_timestamp() - interval '24 hours'
    and current_setting('payments.retention', true) is distinct from 'on')
  execute function refuse_to_free_claim();
-- A claim that has begun never names another key or resource.
create trigger begun_claims_keep_their_resource
  before update of account_id, endpoint, key, claim_id, fingerprint, resource_id on idempotency_keys for each row
  when (old.begun_at is not null and (old.account_id, old.endpoint, old.key, old.claim_id, old.fingerprint, old.resource_id)
    is distinct from (new.account_id, new.endpoint, new.key, new.claim_id, new.fingerprint, new.resource_id))
  execute function refuse_to_free_claim();

create function audit_answer() returns trigger language plpgsql as $$
begin
  insert into audit_entries
    (id, account_id, actor_kind, actor_id, actor_name, action, resource_id, trace_id, status)
  select new.audit_id, new.account_id, case when c.id is null then 'member' else 'client' end, new.actor_id,
    coalesce(c.name, m.name), new.action,
    -- a refusal made nothing, unless it names what it made, as a decline does
    case when new.answer_status < 400 or position(convert_to(new.resource_id, 'UTF8') in new.answer_body) > 0
      then new.resource_id
      else substring(new.path from '/([a-z]{2,4}_[0-7][0-9A-HJKMNP-TV-Z]{25})(?![^/:?])') end,
    new.trace_id, new.answer_status
  from (values (1)) as one
  left join oauth_clients c on c.id = new.actor_id
  left join members m on m.id = new.actor_id
  -- a caller who left before the answer
  on conflict (id) do update set status = excluded.status, resource_id = excluded.resource_id
  where audit_entries.status is null;
  return null;
end $$;
-- The statement that stores an answer makes the entry of the audit, whichever statement that is. So the entry is in the
-- transaction of the change, and no way of a write can leave it out.
create trigger claims_are_audited_when_made after insert on idempotency_keys for each row
  when (new.audit_id is not null and new.answered_at is not null)
  execute function audit_answer();
create trigger claims_are_audited after update of answered_at on idempotency_keys for each row
  when (new.audit_id is not null and new.answered_at is not null and old.answered_at is null)
  execute function audit_answer();

-- What happened to a resource, as merchants are told. Partitioned by the time in the id, so that old events are dropped
-- and not deleted.
create table events (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  -- counts the events of the account
  sequence bigint not null,
  type text not null,
  resource_id text collate "C" not null,
  -- the resource after what happened, in the current API version
  object json not null,
  -- W3C Trace Context of what it happened in, so that its webhooks are found there too; null: in none
  traceparent text,
  created_at timestamptz not null,
  -- which transaction made it: exports show what was there when they were asked for
  created_xid xid8 not null default pg_current_xact_id()
) partition by range (id);
-- The events of an account, in order.
create index events_account_sequence on events (account_id, sequence);
-- The same, of some types.
create index events_account_type on events (account_id, type, sequence);
-- The events of a resource.
create index events_resource on events (resource_id);
create table events_default partition of events default;

-- What a charge's steps did, in order. A row holds all that one step recorded, so that a charge pays for one row.
-- No foreign key: a row is written with a change of its charge, and checking it would cost every charge.
create table charge_timeline (
  charge_id text collate "C" not null,
  -- the order of writing; counts for all accounts, hence never shown
  id bigint generated always as identity,
  -- [{at, type, detail}], in order; codes and amounts only
  entries json not null,
  primary key (charge_id, id)
);
-- A page of a timeline: rows by the time of their first entry. As text, since an index can have no cast to a time; ISO 8601
-- in UTC sorts as the times do.
create index charge_timeline_in_time on charge_timeline (charge_id, ((entries -> 0 ->> 'at') collate "C"));
