import type pg from 'pg';
import type {
  ChargeLedger,
  ChargeRecord,
  Movement,
  RefundLedger,
  RefundRecord,
} from '#domain/reconciliation.ts';
import type { Database } from '../knex.ts';
import { isOurRefund } from './adopted-refunds.ts';

/**
 * The tables of a reconciliation, on one connection: what was read of the processors' ledgers, and temporary ones of the
 * running workflows and of the rows that may differ. Postgres compares them, so comparing millions takes no memory here.
 */
export class ReconciliationTables {
  readonly #connection: pg.Client;

  private constructor(connection: pg.Client) {
    this.#connection = connection;
  }

  /** Runs `work` with the tables. It uses one connection of the pool meanwhile, without a transaction. */
  static async with<T>(db: Database, work: (tables: ReconciliationTables) => Promise<T>): Promise<T> {
    const connection: pg.Client = await db.client.acquireConnection();
    try {
      await connection.query(createSql);
      return await work(new ReconciliationTables(connection));
    } finally {
      await connection.query(dropSql).catch(() => undefined);
      await db.client.releaseConnection(connection);
    }
  }

  async addRunning(workflowIds: readonly string[]): Promise<void> {
    await this.#connection.query(
      `insert into reconciled_runs select unnest($1::text[]) on conflict do nothing`,
      [workflowIds],
    );
  }

  /**
   * Returns the next charges after an id, with their sums in the ledgers.
   *
   * @param processors whose charges are compared (`db/payments/processor-books.ts`).
   */
  async nextCharges(processors: readonly string[], after: string, limit: number): Promise<ComparedCharge[]> {
    const { rows } = await this.#connection.query<ComparedCharge>(
      `select c.id, c.status, c.amount_captured as "amountCaptured", c.amount_returned as "amountReturned",
         c.void_reason as "voidReason", c.processor, ${chargeBooks}
       from (select id, status, amount_captured, amount_returned, void_reason, coalesce(processor_id, '') as processor from charges
         where id > $1 and coalesce(processor_id, '') = any($3::text[]) order by id limit $2) c
       left join processor_movements m on m.charge_key = c.id and m.processor_id = c.processor
       group by c.id, c.status, c.amount_captured, c.amount_returned, c.void_reason, c.processor order by c.id`,
      [after, limit, processors],
    );
    return rows;
  }

  /** Returns the next refunds of ours after an id, with their sums in the ledgers. */
  async nextRefunds(processors: readonly string[], after: string, limit: number): Promise<ComparedRefund[]> {
    const { rows } = await this.#connection.query<ComparedRefund>(
      `select r.id, r.status, r.amount, ${refundBooks}
       from (select r.id, r.status, r.amount, coalesce(c.processor_id, '') as processor
         from refunds r join charges c on c.id = r.charge_id
         where r.id > $1 and r.source = 'api' and coalesce(c.processor_id, '') = any($3::text[]) order by r.id limit $2) r
       left join processor_movements m on m.key = r.id and m.processor_id = r.processor
       group by r.id, r.status, r.amount order by r.id`,
      [after, limit, processors],
    );
    return rows;
  }

  /**
   * Returns the next keys in the ledgers of these processors that name no charge or refund of theirs. Refunds of a charge
   * that was voided and has no row are a part of it.
   */
  async nextUnknown(
    processors: readonly string[],
    after: UnknownKey | null,
    limit: number,
  ): Promise<UnknownKey[]> {
    const { rows } = await this.#connection.query<UnknownKey>(
      `select id, processor ${unknownKeys} order by id, processor limit $4`,
      [processors, after?.id ?? '', after?.processor ?? '', limit],
    );
    return rows;
  }

  /** Counts the keys that `nextUnknown` has still to return after this one. */
  async countUnknown(processors: readonly string[], after: UnknownKey | null): Promise<number> {
    const { rows } = await this.#connection.query<{ count: number }>(
      `select count(*)::int as count ${unknownKeys}`,
      [processors, after?.id ?? '', after?.processor ?? ''],
    );
    return rows[0]?.count ?? 0;
  }

  /** Returns what a ledger holds under a key, of a charge or of a refund. */
  async readMovements({ id, processor }: UnknownKey): Promise<Movement[]> {
    const { rows } = await this.#connection.query<Movement>(
      `select kind, key, charge_key as "chargeKey", amount from processor_movements
       where processor_id = $2 and (charge_key = $1 or key = $1)`,
      [id, processor],
    );
    return rows;
  }

  /** Notes rows that may differ, by their ids. */
  async addCandidates(ids: readonly string[]): Promise<void> {
    await this.#connection.query(
      `insert into reconciled_candidates select unnest($1::text[]) on conflict do nothing`,
      [ids],
    );
  }

  /** Notes open rows without a running workflow, too. Rows that changed in the last minute are left out. */
  async addWithoutRun(): Promise<void> {
    const settled = `updated_at < clock_timestamp() - interval '1 minute'
      and not exists (select from reconciled_runs w where w.workflow_id = x.workflow_id)`;
    await this.#connection.query(
      `insert into reconciled_candidates
       select id from charges x where status in ('pending', 'requires_action', 'requires_capture') and ${settled}
       union all
       select id from refunds x where status in ('pending', 'processed') and ${settled}
       on conflict do nothing`,
    );
  }

  /** Returns the first rows that may differ, and how many there are beyond them. */
  async readCandidates(limit: number): Promise<{ ids: string[]; left: number }> {
    const { rows } = await this.#connection.query<{ id: string; count: number }>(
      `select id, (select count(*) from reconciled_candidates)::int as count
       from reconciled_candidates order by id limit $1`,
      [limit],
    );
    return { ids: rows.map(({ id }) => id), left: (rows[0]?.count ?? 0) - rows.length };
  }
}

/** Keys of the processors `$1` that name no row, after the key `$2` of the processor `$3`. */
const unknownKeys = `from (
  select distinct charge_key as id, processor_id as processor from processor_movements m
  where m.processor_id = any($1::text[]) and m.charge_key like 'ch\\_%' and not exists (
    select from charges c where c.id = m.charge_key and coalesce(c.processor_id, '') = m.processor_id)
  union
  select distinct key, processor_id from processor_movements m
  where m.processor_id = any($1::text[]) and m.kind in ('refund', 'refund_reversal') and ${isOurRefund}
    and not exists (select from refunds r where r.id = m.key)
    and not exists (
      select from processor_movements v
      where v.processor_id = m.processor_id and v.charge_key = m.charge_key and v.kind = 'void'
        and not exists (select from charges c where c.id = v.charge_key))
  ) unknown where (id, processor) > ($2, $3)`;

/** A key in the ledger of a processor. */
export interface UnknownKey {
  id: string;
  processor: string;
}

export interface ComparedCharge extends ChargeRecord, ChargeLedger {
  /** Its id; empty: the built-in one. */
  processor: string;
}
export type ComparedRefund = RefundRecord & RefundLedger;

const sumAmounts = (kind: Movement['kind'], guard = 'true') =>
  `coalesce(sum(m.amount) filter (where m.kind = '${kind}' and ${guard}), 0)::bigint`;

const countMovements = (kind: Movement['kind']) => `count(*) filter (where m.kind = '${kind}')`;

const chargeBooks = `${countMovements('authorization')} as authorizations, ${sumAmounts('authorization')} as authorized,
  ${countMovements('capture')} as captures, ${sumAmounts('capture')} as captured,
  ${sumAmounts('capture_reversal')} as uncaptured, ${sumAmounts('void')} as voided,
  ${sumAmounts('void_reversal')} as unvoided`;
const refundBooks = `${sumAmounts('refund')} as refunded, ${sumAmounts('refund_reversal')} as reversed`;

const createSql = `create temporary table reconciled_runs (workflow_id text collate "C" primary key);
  create temporary table reconciled_candidates (id text collate "C" primary key)`;

const dropSql = `drop table if exists pg_temp.reconciled_runs, pg_temp.reconciled_candidates`;
