import knex, { type Knex } from 'knex';
import pg, { type QueryResultRow } from 'pg';
import { PreparedStatement } from './prepared-statement.ts';
import { announceRefused } from './refused-statements.ts';

/** The pool of a process; a transaction of it is one too. */
export type Database = Knex;

const oids = { int8: 20, timestamptz: 1184 };

/** Amounts and counters are 64 bit in Postgres and exact numbers here, or an error. */
function exactNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is beyond 2^53`);
  return value;
}

/** V8 reads a time as Postgres writes it, in a third of the time that the driver takes; what it cannot read, that can. */
function toDate(text: string): unknown {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? pg.types.getTypeParser(oids.timestamptz)(text) : date;
}

const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === oids.int8) return exactNumber;
    if (oid === oids.timestamptz) return toDate;
    return pg.types.getTypeParser(oid, format);
  },
};

/** How the pool beneath stands, for those who observe it. */
export interface PoolStanding {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
  numPendingCreates(): number;
}

export function poolOf(db: Database): PoolStanding {
  return db.client.pool as PoolStanding;
}

/** Where warnings of the pool and the query builder go. */
export interface DatabaseLog {
  warn(message: string): void;
  error(message: string): void;
}

/**
 * Opens the pool. Connections are bounded in number, in the wait for one, and in the time of a statement.
 *
 * @param log (Default: the query builder's own, plain text on the standard output)
 */
export function createDatabase(url: string, connections: number, log?: DatabaseLog): Database {
  return knex({
    client: 'pg',
    ...(log && { log: toKnexLog(log) }),
    connection: {
      connectionString: url,
      types,
      connectionTimeoutMillis: 3_000,
      // A half-open connection must not hold a request for ever.
      query_timeout: 15_000,
      keepAlive: true,
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: connections, acquireTimeoutMillis: 5_000, afterCreate: boundStatements },
    acquireConnectionTimeout: 5_000,
  });
}

/** By a statement, and not as the connection is made: PgBouncer refuses such parameters at the start. */
function boundStatements(
  connection: pg.Client,
  done: (error: Error | null, connection: pg.Client) => void,
): void {
  const bounds = 'set statement_timeout = 14000; set idle_in_transaction_session_timeout = 15000';
  connection.query(bounds, (error: Error | null) => done(error, connection));
}

/** One line each: the stack of a refused connection leads into the driver, and repeats itself. */
function toKnexLog(log: DatabaseLog): NonNullable<Knex.Config['log']> {
  const firstLine = (message: unknown) => String(message).split('\n')[0] ?? '';
  return {
    warn: (message) => log.warn(firstLine(message)),
    error: (message) => log.error(firstLine(message)),
  };
}

/**
 * Runs a statement as a prepared one: Postgres plans it once a connection. A row is a record: its names are those of the
 * columns in camelCase. So a statement lists the columns of the record that it returns, and no others.
 *
 * @param name unique to `text`; Postgres keeps the plan under it.
 */
export async function prepared<Row extends QueryResultRow>(
  db: Database,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const connection: pg.Client = await db.client.acquireConnection();
  try {
    return await run<Row>(connection, { name, text, values });
  } catch (error) {
    // Its own stack leads to the socket, and not to who asked.
    if (error instanceof Error) Error.captureStackTrace(error);
    announceRefused(db, name, error);
    if (!isLostPlan(error)) {
      markDeadWhenFatal(connection, error);
      throw error;
    }
    // What the connection knows of its other statements is not true any more either: it is not used again.
    markDead(connection, error);
    // Nothing of it was done; within a transaction all of it has to be done again, and not by us.
    if (db.isTransaction) throw error;
    return await run<Row>(connection, { name: '', text, values });
  } finally {
    await db.client.releaseConnection(connection);
  }
}

function run<Row extends QueryResultRow>(
  connection: pg.Client,
  statement: { name: string; text: string; values: readonly unknown[] },
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    connection.query(
      new PreparedStatement<Row>(statement, types, (error, rows) => (error ? reject(error) : resolve(rows))),
    );
  });
}

/** Node's codes of a TLS handshake that failed, most of them named by OpenSSL: nothing was asked of Postgres. */
const tlsErrors =
  /^(ERR_TLS_|ERR_SSL_|EPROTO|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_)/;
/** Errors of the network, the driver and the pool that say nothing about a statement. */
const connectionErrors = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;
const connectionMessages =
  /^(The server does not support SSL|There was an error establishing an SSL|Connection terminated|Client has encountered a connection error|timeout expired|Query read timeout)/;

/**
 * Whether Postgres could not be reached, has no room to work in, or went away while it was asked: a statement may still
 * have happened.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'KnexTimeoutError') return true;
  // Many addresses tried in vain are one error, without a message of its own.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  const { code = '' } = error as { code?: string };
  // SQLSTATE: connection exceptions; who we are is refused; no disk, memory or connection left; a server that stops or starts.
  if (/^(08|28|53|57P0[1-3])/.test(code) || tlsErrors.test(code)) return true;
  return connectionErrors.test(code) || connectionMessages.test(error.message);
}

/**
 * Whether Postgres refused to run a prepared statement before anything of it ran: it is gone (26000, after `discard all`
 * or where a pooler has changed the server), its name is another's (42P05), or a migration gave a table another column
 * since Postgres planned a `select *`.
 */
function isLostPlan(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === '26000' || code === '42P05') return true;
  return code === '0A000' && message === 'cached plan must not change result type';
}

/** Tells the pool not to hand out a connection again whose last statement did not come back in order. */
export function markDeadWhenFatal(connection: pg.Client, error: unknown): void {
  const sqlState = (error as { code?: unknown }).code;
  const answeredByServer =
    typeof sqlState === 'string' && /^[0-9A-Z]{5}$/.test(sqlState) && !/^(57P|08)/.test(sqlState);
  if (!answeredByServer) markDead(connection, error);
}

function markDead(connection: pg.Client, error: unknown): void {
  (connection as { __knex__disposed?: unknown }).__knex__disposed = error;
}
