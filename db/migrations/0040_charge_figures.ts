import type { Knex } from 'knex';

/** Charges counted by minute, currency and outcome. Made from events, beside the requests. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
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
    )`);
  await knex.raw(`create index charge_figures_step on charge_figures (step, at)`);
  await knex.raw(`
    create table charge_figure_marks (
      account_id text collate "C" primary key references accounts (id) on delete cascade,
      -- events up to here are counted, each once
      sequence bigint not null default 0
    ) with (fillfactor = 50)`);
}
