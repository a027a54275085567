import type pg from 'pg';
import type {
  ChargeLedger,
  ChargeRecord,
  Movement,
  RefundLedger,
  RefundRecord,
} from '#domain/reconciliation.ts';
import type { Database } from '../knex.ts';

/**
 * The temporary tables of a reconciliation, on one connection. The processor's ledger and the running workflows are copied
 * into them and compared by Postgres. So comparing millions takes no memory here.
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

  /** Returns the movements under these keys, of charges and of refunds. */
  async readMovements(keys: readonly string[]): Promise<Movement[]> {
    const { rows } = await this.#connection.query<Movement>(
      `select kind, key, charge_key as "chargeKey", amount from reconciled_movements
       where charge_key = any($1::text[]) or key = any($1::text[])`,
      [keys],
    );
    return rows;
  }

  async addRunning(workflowIds: readonly string[]): Promise<void> {
    await this.#connection.query(
      `insert into reconciled_runs select unnest($1::text[]) on conflict do nothing`,
      [workflowIds],
    );
  }

  /** Makes the indexes. Call it after all rows are added, and before comparing. */
  async index(): Promise<void> {
    await this.#connection.query(indexSql);
  }

  /** Returns the next charges after an id, with their sums in the ledger. */
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

  /** Returns the next refunds after an id, with their sums in the ledger. */
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

  /** Returns keys of the ledger that name no charge or refund. */
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

  /** Returns open rows without a running workflow. Rows that changed in the last minute are left out. */
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

export type ComparedCharge = ChargeRecord & ChargeLedger;
export type ComparedRefund = RefundRecord & RefundLedger;

const sumAmounts = (kind: Movement['kind'], guard = 'true') =>
  `coalesce(sum(m.amount) filter (where m.kind = '${kind}' and ${guard}), 0)::bigint`;

const countMovements = (kind: Movement['kind']) => `count(*) filter (where m.kind = '${kind}')`;

const chargeBooks = `${countMovements('authorization')} as authorizations, ${sumAmounts('authorization')} as authorized,
  ${countMovements('capture')} as captures, ${sumAmounts('capture')} as captured, ${sumAmounts('void')} as voided`;
const refundBooks = `${sumAmounts('refund')} as refunded, ${sumAmounts('refund_reversal')} as reversed`;

const createSql = `
  create temporary table reconciled_movements
    (kind text not null, key text collate "C" not null, charge_key text collate "C" not null, amount bigint not null);
  create temporary table reconciled_runs (workflow_id text collate "C" primary key)`;

const indexSql = `
  create index on reconciled_movements (charge_key);
  create index on reconciled_movements (key);
  analyze reconciled_movements`;

const dropSql = `drop table if exists pg_temp.reconciled_movements, pg_temp.reconciled_runs`;
