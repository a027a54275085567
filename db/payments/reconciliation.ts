import type pg from 'pg';
import type {
  ChargeBooks,
  ChargeRecord,
  Movement,
  RefundBooks,
  RefundRecord,
} from '#domain/reconciliation.ts';
import type { Database } from '../knex.ts';

/**
 * What reconciliation compares, side by side in Postgres: the books and the running workflows are copied into temporary
 * tables of one connection, so that comparing millions takes no memory here and nobody else sees them.
 */
export class ReconciliationTables {
  readonly #connection: pg.Client;

  private constructor(connection: pg.Client) {
    this.#connection = connection;
  }

  /** Holds one connection of the pool until `work` is done; no transaction is open meanwhile. */
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

  async addMovements(movements: readonly Movement[]): Promise<void> {
    await this.#connection.query(
      `insert into reconciled_movements select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[])`,
      [
        movements.map(({ kind }) => kind),
        movements.map(({ key }) => key),
        movements.map(({ chargeKey }) => chargeKey),
        movements.map(({ amount }) => amount),
      ],
    );
  }

  async addRunning(workflowIds: readonly string[]): Promise<void> {
    await this.#connection.query(
      `insert into reconciled_runs select unnest($1::text[]) on conflict do nothing`,
      [workflowIds],
    );
  }

  /** Once all is there, and before it is compared. */
  async index(): Promise<void> {
    await this.#connection.query(indexSql);
  }

  /** The next charges after an id, with their books. */
  async nextCharges(after: string, limit: number): Promise<ComparedCharge[]> {
    const { rows } = await this.#connection.query<ComparedCharge>(
      `select c.id, c.status, c.amount_captured as "amountCaptured", c.void_reason as "voidReason", ${chargeBooks}
       from (select id, status, amount_captured, void_reason from charges where id > $1 order by id limit $2) c
       left join reconciled_movements m on m.charge_key = c.id
       group by c.id, c.status, c.amount_captured, c.void_reason order by c.id`,
      [after, limit],
    );
    return rows;
  }

  /** The next refunds after an id, with their books. */
  async nextRefunds(after: string, limit: number): Promise<ComparedRefund[]> {
    const { rows } = await this.#connection.query<ComparedRefund>(
      `select r.id, r.status, r.amount, ${refundBooks}
       from (select id, status, amount from refunds where id > $1 order by id limit $2) r
       left join reconciled_movements m on m.key = r.id
       group by r.id, r.status, r.amount order by r.id`,
      [after, limit],
    );
    return rows;
  }

  /** Keys in the books that name no row of ours. */
  async findUnknown(limit: number): Promise<string[]> {
    const { rows } = await this.#connection.query<{ id: string }>(
      `select distinct charge_key as id from reconciled_movements m
       where m.charge_key like 'ch\\_%' and not exists (select from charges c where c.id = m.charge_key)
       union
       select distinct key from reconciled_movements m
       where m.kind in ('refund', 'refund_reversal') and m.key like 're\\_%'
         and not exists (select from refunds r where r.id = m.key)
       limit $1`,
      [limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Open rows whose workflow was not among the running ones. What moved just now has not been listed yet. */
  async findWithoutRun(limit: number): Promise<string[]> {
    const settled = `updated_at < clock_timestamp() - interval '1 minute'
      and not exists (select from reconciled_runs w where w.workflow_id = x.workflow_id)`;
    const { rows } = await this.#connection.query<{ id: string }>(
      `(select id from charges x where status in ('pending', 'requires_capture') and ${settled} limit $1)
       union all
       (select id from refunds x where status in ('pending', 'processed') and ${settled} limit $1)`,
      [limit],
    );
    return rows.map(({ id }) => id);
  }
}

export type ComparedCharge = ChargeRecord & ChargeBooks;
export type ComparedRefund = RefundRecord & RefundBooks;

const sumOf = (kind: Movement['kind'], guard = 'true') =>
  `coalesce(sum(m.amount) filter (where m.kind = '${kind}' and ${guard}), 0)::bigint`;

const countOf = (kind: Movement['kind']) => `count(*) filter (where m.kind = '${kind}')`;

const chargeBooks = `${countOf('authorization')} as authorizations, ${sumOf('authorization')} as authorized,
  ${countOf('capture')} as captures, ${sumOf('capture')} as captured, ${sumOf('void')} as voided`;
const refundBooks = `${sumOf('refund')} as refunded, ${sumOf('refund_reversal')} as reversed`;

const createSql = `
  create temporary table reconciled_movements
    (kind text not null, key text collate "C" not null, charge_key text collate "C" not null, amount bigint not null);
  create temporary table reconciled_runs (workflow_id text collate "C" primary key)`;

const indexSql = `
  create index on reconciled_movements (charge_key);
  create index on reconciled_movements (key);
  analyze reconciled_movements`;

const dropSql = `drop table if exists pg_temp.reconciled_movements, pg_temp.reconciled_runs`;
