import type { Knex } from 'knex';
import type { Environment } from './environment.ts';
import { eventually } from '../eventually.ts';

/** A row that a test holds, so that the statement of the stack that wants it waits exactly there. */
export interface HeldRow {
  /**
   * Resolves once `count` statements wait for a lock, with the connections they came over.
   *
   * @param options.text what is in them. (Default: anything)
   */
  untilBlocked(count?: number, options?: { text?: string }): Promise<number[]>;
  /**
   * Ends the connections that wait: what they were about to write is lost, as if it had never been sent.
   *
   * @param pids which of them. (Default: all)
   */
  loseBlocked(pids?: number[]): Promise<void>;
  /** Lets everything that waits go on, also what a killed process had sent. */
  release(): Promise<void>;
}

/** Holds the rows of `table` that fit, until they are released. */
export async function holdRow(
  env: Environment,
  table:
    | 'accounts'
    | 'account_sequences'
    | 'idempotency_keys'
    | 'charges'
    | 'operations'
    | 'operation_uploads'
    | 'webhook_deliveries',
  fitting: Record<string, string>,
): Promise<HeldRow> {
  const holder = await env.db.transaction();
  await holder.raw('set local idle_in_transaction_session_timeout = 0');
  const held = await holder(table).where(fitting).forUpdate();
  if (held.length === 0) throw new Error(`there is no row of ${table} to hold`);
  return heldBy(env, holder, table);
}

/** Lets the table be read only, until it is released. */
export async function holdTable(
  env: Environment,
  table: 'charges' | 'operation_uploads' | 'result_drafts',
): Promise<HeldRow> {
  const holder = await env.db.transaction();
  await holder.raw('set local idle_in_transaction_session_timeout = 0');
  await holder.raw('lock table ?? in exclusive mode', [table]);
  return heldBy(env, holder, table);
}

function heldBy(env: Environment, holder: Knex.Transaction, table: string): HeldRow {
  const blocked = async (text = ''): Promise<number[]> => {
    const { rows } = await env.db.raw<{ rows: { pid: number }[] }>(
      `select pid from pg_stat_activity
       where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0 and strpos(query, ?) > 0`,
      [text],
    );
    return rows.map(({ pid }) => pid);
  };
  return {
    untilBlocked: (count = 1, { text } = {}) =>
      eventually(`${count} statements wait for ${table}`, async () => {
        const pids = await blocked(text);
        return pids.length >= count && pids;
      }),
    async loseBlocked(which) {
      const pids = which ?? (await blocked());
      for (const pid of pids) await env.db.raw('select pg_terminate_backend(?)', [pid]);
      // Others may come to wait meanwhile: a worker looks for lapsed leases again and again.
      await eventually('they are gone', async () => {
        const left = await env.db('pg_stat_activity').whereIn('pid', pids).first('pid');
        return left === undefined;
      });
    },
    async release() {
      if (!holder.isCompleted()) await holder.rollback();
    },
  };
}
