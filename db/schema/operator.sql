-- What operators look at: figures, reconciliations, and what is set aside or was restored.

-- Charges counted by minute, currency and outcome. Made from events, beside the requests.
create table charge_figures (
  account_id text collate "C" not null references accounts (id) on delete cascade,
  -- minutes are kept for 48 h, and become hours then
  step text not null check (step in ('minute', 'hour')),
  -- the step's beginning
  at timestamptz not null,
  currency text not null,
  outcome text not null check (outcome in ('authorized', 'succeeded', 'declined', 'failed', 'cancelled')),
  -- the decline code, or why it failed; empty for other outcomes
  reason text not null default '',
  count bigint not null check (count > 0),
  -- minor units
  amount numeric not null check (amount >= 0),
  primary key (account_id, at, step, currency, outcome, reason)
);
-- Minutes that become hours, and hours that are deleted.
create index charge_figures_step on charge_figures (step, at);

-- How far the events of an account are counted.
create table charge_figure_marks (
  account_id text collate "C" primary key references accounts (id) on delete cascade,
  -- events up to here are counted, each once
  sequence bigint not null default 0
) with (fillfactor = 50);

-- Attempts at deliveries counted by minute, endpoint, result and latency, in the statement that records them.
create table delivery_figures (
  endpoint_id text collate "C" not null,
  -- minutes are kept for 48 h, and become hours then
  step text not null check (step in ('minute', 'hour')),
  -- the step's beginning
  at timestamptz not null,
  -- 'delivered', the status of the answer, or why there was none
  result text not null,
  -- the attempt took at most 2^(n / 2) ms
  latency_step smallint not null,
  count bigint not null check (count > 0),
  primary key (endpoint_id, at, step, result, latency_step)
) with (fillfactor = 70);
-- Minutes that become hours, and hours that are deleted.
create index delivery_figures_step on delivery_figures (step, at);

-- Figures of the processes of this service.
create table service_figures (
  minute timestamptz not null,
  -- a process: its name and a random part
  process text collate "C" not null,
  -- queues, calls of processors and requests in this minute
  figures json not null,
  primary key (minute, process)
);

-- Comparisons of the rows with the ledgers of the processors.
create table reconciliations (
  id text collate "C" primary key,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed')),
  -- whether rows that are behind are repaired
  repair boolean not null,
  -- the caller and its Idempotency-Key; null: it ran by its schedule
  requested_by text collate "C",
  idempotency_key text collate "C",
  -- the run of its workflow, so that another attempt finds its row
  run_id text collate "C" unique,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  charges_compared bigint,
  refunds_compared bigint,
  movements_read bigint,
  -- processors whose ledger could not be read
  unread text[] not null default '{}',
  -- how many differences there are, and how many of them were repaired; at most 10,000 are kept
  differences integer,
  repaired integer,
  -- whether each possible difference was examined, and how many were left to another run
  complete boolean,
  unexamined bigint,
  -- A key belongs to a caller, and makes one reconciliation.
  constraint reconciliations_request check ((requested_by is null) = (idempotency_key is null)),
  unique (requested_by, idempotency_key),
  -- A status says what happened: when it ended, what it found.
  constraint reconciliations_ended check ((status in ('succeeded', 'failed')) = (ended_at is not null)),
  constraint reconciliations_found check (status <> 'succeeded' or (differences is not null and repaired is not null))
);

-- What a reconciliation found.
create table reconciliation_differences (
  reconciliation_id text collate "C" not null references reconciliations (id) on delete cascade,
  -- the order in which they were found
  position integer not null,
  code text not null,
  -- a charge or a refund, which may have no row
  resource_id text collate "C" not null,
  detail text not null,
  repaired boolean not null,
  primary key (reconciliation_id, position)
);

-- Rows of which a task of the maintenance failed. The task leaves such a row alone for a while, so it delays no others.
create table upkeep_faults (
  -- the activity, such as 'restartLostPayments'
  step text not null,
  row_id text collate "C" not null,
  failures integer not null default 1 check (failures > 0),
  first_at timestamptz not null default clock_timestamp(),
  -- the task leaves the row alone until then
  retry_at timestamptz not null,
  primary key (step, row_id)
);

-- Restores of the database to an earlier time. While one is not repaired, no claim is made and no row of a batch begins: a
-- retry of a lost request would move its money again.
create table database_restores (
  -- what was committed later is lost
  restored_to timestamptz primary key,
  recorded_at timestamptz not null default clock_timestamp(),
  -- how far the sequences of events were moved on
  sequence_gap bigint not null check (sequence_gap > 0),
  repaired_at timestamptz
);
