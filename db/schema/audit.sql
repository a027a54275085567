-- Who did what (366 days), and what callers asked for (7 days).

-- What people and programs did. It refers to nothing, since it outlives members and accounts. A write with a key gets its
-- entry from the trigger of its claim (claims.sql); other entries are made before what they tell of, and completed after it.
create table audit_entries (
  -- carries the time; in this order retention deletes
  id text collate "C" primary key,
  -- null: about the service, not about an account
  account_id text collate "C",
  actor_kind text not null check (actor_kind in ('member', 'operator', 'client')),
  -- null: nobody knows who, as of a sign-in that failed
  actor_id text collate "C",
  -- as it was then
  actor_name text,
  -- from where somebody signed in, or tried to: personal data, and gone with its entry
  address inet,
  action text collate "C" not null,
  resource_id text collate "C",
  trace_id text collate "C" not null,
  -- of the answer; null: under way, or its end was not seen
  status smallint,
  is_replayed boolean not null default false,
  reason text,
  -- which transaction made it: exports show what was there when they were asked for
  created_xid xid8 not null default pg_current_xact_id()
);
-- The audit of an account, newest first.
create index audit_entries_account on audit_entries (account_id, id);
-- What one actor did, newest first.
create index audit_entries_actor on audit_entries (actor_id, id);
-- Who did something to a resource, such as who made a refund.
create index audit_entries_resource on audit_entries (resource_id, id) where resource_id is not null;

create function refuse_to_change_audit_entry() returns trigger language plpgsql as $$
begin
  raise exception 'The audit entry % stays as it is until its retention is over', old.id
    using errcode = 'restrict_violation', constraint = 'audit_entries_are_kept';
end $$;
-- Only retention deletes an entry.
create trigger audit_entries_are_kept before delete on audit_entries for each row
  when (current_setting('payments.retention', true) is distinct from 'on')
  execute function refuse_to_change_audit_entry();
-- An entry is completed once. Nothing else of it ever changes.
create trigger audit_entries_end_once before update on audit_entries for each row
  when (
    (old.id, old.account_id, old.actor_kind, old.actor_id, old.actor_name, old.action, old.trace_id, old.reason,
        old.address)
      is distinct from
      (new.id, new.account_id, new.actor_kind, new.actor_id, new.actor_name, new.action, new.trace_id, new.reason,
        new.address)
    or old.status is not null and (old.status, old.resource_id, old.is_replayed)
      is distinct from (new.status, new.resource_id, new.is_replayed))
  execute function refuse_to_change_audit_entry();

-- The log of requests: writes, and what was refused. It is written beside the requests, so a row may be missing
-- (api/middleware/request-log.ts). It refers to nothing and has few indexes, since rows are made all the time.
create table requests (
  -- carries the time of the answer; in this order retention deletes
  id text collate "C" primary key,
  account_id text collate "C" not null,
  trace_id text collate "C" not null,
  client_id text collate "C" not null,
  -- the person who asked, through the console
  member_id text collate "C",
  method text not null,
  -- the template: paths hold what callers type
  route text not null,
  resource_id text collate "C",
  -- its beginning and a hash, so that nobody who reads the log can repeat a request
  idempotency_key text,
  is_replayed boolean not null,
  status smallint not null,
  -- of the problem
  code text,
  -- [{pointer, code}] of a body that was refused; never a value
  errors json,
  duration_ms real not null,
  -- how many requests the row stands for: itself, and others that were refused alike
  count integer not null default 1
);
-- The requests of an account, newest first.
create index requests_account on requests (account_id, id);
-- The requests of a trace.
create index requests_trace on requests (trace_id, account_id, id);
-- The requests with a key.
create index requests_key on requests (account_id, idempotency_key, id) where idempotency_key is not null;
-- The requests that were refused with a code.
create index requests_code on requests (account_id, code, id) where code is not null;
