-- Operations: work that outlives its request, its rows and its files.

-- Names the cluster of this database.
create function system_identifier() returns text stable language sql
as 'select c.system_identifier::text from pg_control_system() c';

-- The cluster that the transaction ids in created_xid and snapshot are from. A dump, logical replication and a copy take
-- them to clusters where they mean nothing. No row: nobody knows, until a command has made the rows visible to all.
create table xid_origin (
  only_row boolean primary key default true check (only_row),
  system_identifier text not null default system_identifier(),
  recorded_at timestamptz not null default clock_timestamp()
);
insert into xid_origin default values;

-- Operations of every kind.
create table operations (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts (id) on delete cascade,
  -- A claim makes one operation.
  claim_id text collate "C" not null unique,
  workflow_id text collate "C" not null,
  -- one of domain/operations/operation-kinds.ts
  type text not null check (type ~ '^[a-z_]+$'),
  status text not null default 'queued'
    check (status in ('queued', 'running', 'cancelling', 'succeeded', 'failed', 'cancelled')),
  -- what was asked for
  request json not null,
  api_version text not null,
  -- the path it was submitted at and its trace, for the problem document of one that fails
  path text not null,
  trace_id text not null,
  -- what was there when it was submitted, as rows whose created_xid is visible in it, and in which cluster
  snapshot pg_snapshot not null default pg_current_snapshot(),
  -- null: the snapshot means nothing here
  snapshot_of text collate "C" default system_identifier(),
  completed bigint not null default 0 check (completed >= 0),
  total bigint check (total >= 0),
  -- how far it is, if its work is in the rows it writes and not in a file
  checkpoint bigint,
  -- a problem document
  error json,
  -- {key, contentType, size, sha256}: a file in the blob store
  result json,
  -- numbers what runs of an account, so that a unique index limits how many there are; null: it waits
  slot smallint check (slot > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  cancel_requested_at timestamptz,
  done_at timestamptz,
  version integer not null default 1,
  -- when the sweep last woke the run for the cancel: it does so ever less often
  cancel_woken_at timestamptz,
  -- when the sweep last saw that a workflow runs for it: a queue, in which a new row stands last
  checked_at timestamptz default clock_timestamp(),
  constraint operations_progress check (total is null or completed <= total),
  -- A status says what happened: when it ended, why it has no result, what the result is, who wanted it to end.
  constraint operations_done check ((status in ('succeeded', 'failed', 'cancelled')) = (done_at is not null)),
  constraint operations_error check ((status in ('failed', 'cancelled')) = (error is not null)),
  constraint operations_result check (status <> 'succeeded' or result is not null),
  constraint operations_cancel check (status not in ('cancelling', 'cancelled') or cancel_requested_at is not null)
);
-- Lists of an account, newest first, and their filter by time: the id carries the time.
create index operations_account on operations (account_id, id);
create index operations_account_type on operations (account_id, type, id);
create index operations_account_status on operations (account_id, status, id);
-- One account never takes the place of all others: each slot holds one operation.
create unique index operations_slots on operations (account_id, slot)
  where slot is not null and status in ('queued', 'running', 'cancelling');
-- The account's next operation to run.
create index operations_queued on operations (account_id, id) where status = 'queued';
-- The sweep's queue of open operations.
create index operations_open on operations (checked_at nulls first)
  where status in ('queued', 'running', 'cancelling');
-- The open operations of workflows that have ended.
create index operations_open_workflow on operations (workflow_id) where status in ('queued', 'running', 'cancelling');
-- Open operations of all accounts, for operators: oldest first.
create index operations_open_order on operations (id) where status in ('queued', 'running', 'cancelling');
-- Cancels that may have to be signalled again.
create index operations_cancelling on operations (cancel_requested_at) where status = 'cancelling';
-- Retention, and what an operation that ended has left: oldest first.
create index operations_done on operations (done_at) where done_at is not null;
-- Retention of files.
create index operations_results on operations (done_at) where (result ->> 'key') is not null;

create function require_own_xids() returns trigger language plpgsql as $$
begin
  -- "for key share" makes whoever takes the row away wait
  perform from xid_origin o where o.system_identifier = system_identifier() for key share;
  if not found then
    raise 'The transaction ids of the rows are from another cluster: run npm run admin -- database adopt'
      using errcode = 'XIDS1';
  end if;
  return null;
end $$;
-- A snapshot is taken only where it tells the rows apart, so no export leaves rows out. A batch brings its rows along.
create trigger operations_own_xids after insert on operations for each row
  when (new.type <> 'charge_batch') execute function require_own_xids();

-- Returns the snapshot of an operation, and refuses one of another cluster.
create function operation_snapshot(operation_id text) returns pg_snapshot stable language plpgsql as $$
declare
  found_snapshot pg_snapshot;
begin
  select o.snapshot into found_snapshot from operations o
  where o.id = operation_id and o.snapshot_of = system_identifier();
  if not found then
    raise 'The snapshot of % is from another cluster', operation_id using errcode = 'XIDS2';
  end if;
  return found_snapshot;
end $$;

-- The rows of batches that are left to do. Emptied once the operation is done: what became of a row is in its charge, its
-- claim and the result by then. No foreign key: 10,000 of them are written in the statement that makes their operation.
create table charge_batch_rows (
  operation_id text collate "C" not null,
  -- counts from 0
  row integer not null,
  state text not null check (state in ('waiting', 'begun', 'done')),
  -- the valid charge; emptied once it is in a row of charges
  request jsonb,
  charge_id text collate "C",
  -- as POST /v1/charges would have answered
  status smallint,
  -- a problem document
  error json,
  primary key (operation_id, row),
  -- A row is in one place: here while it waits, in a charge from its begin, in an answer at its end.
  constraint charge_batch_rows_waiting check ((state = 'waiting') = (request is not null)),
  constraint charge_batch_rows_done check ((state = 'done') = (status is not null)),
  constraint charge_batch_rows_begun check (state <> 'begun' or charge_id is not null)
);
-- Those that are left to do, in order.
create index charge_batch_rows_left on charge_batch_rows (operation_id, state, row) where state <> 'done';

-- How far the result of an operation is written, so that another worker resumes where one stopped.
create table operation_uploads (
  operation_id text collate "C" primary key references operations (id) on delete cascade,
  blob_key text collate "C" not null,
  -- what the blob store calls the upload
  upload_id text not null,
  content_type text not null,
  -- rows to be written, and the position of the last of them, as found when it began
  total bigint not null check (total >= 0),
  last_position text collate "C",
  -- the attempt that may add parts; one that takes the upload over sets its own
  attempt uuid not null,
  -- never used before by any attempt, so that a late one overwrites nothing
  next_part integer not null default 1,
  created_at timestamptz not null default clock_timestamp()
);

-- The parts of an upload that are written.
create table operation_parts (
  operation_id text collate "C" not null references operation_uploads (operation_id) on delete cascade,
  number integer not null check (number > 0),
  -- in this part
  rows bigint not null check (rows >= 0),
  -- up to and with which row all is written
  position text collate "C" not null,
  size bigint not null check (size >= 0),
  -- what the blob store calls this part
  etag text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (operation_id, number)
);

-- Files that are written under names of their own and that no operation names yet, so that none is forgotten. No foreign
-- key: what an operation that is gone has left is still to be deleted.
create table result_drafts (
  blob_key text collate "C" primary key,
  -- what the blob store calls the upload; null: not begun yet, as far as is known
  upload_id text,
  operation_id text collate "C" not null,
  begun_at timestamptz not null default clock_timestamp()
);
-- Deletes abandoned files, oldest first.
create index result_drafts_begun on result_drafts (begun_at);
