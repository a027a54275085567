import knex, { type Knex } from 'knex';
import pg, { type QueryResultRow } from 'pg';
import { PreparedStatement } from './prepared-statement.ts';
import { publishRefused } from './refused-statements.ts';

/** The pool of a process, or a transaction of it. */
export type Database = Knex;

const oids = { int8: 20, timestamptz: 1184 };

/** Parses amounts and counters of 64 bits. Throws if a number cannot hold the value exactly. */
function exactNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is beyond 2^53`);
  return value;
}

/** Parses a time. V8 takes a third of the driver's time. The driver parses values that V8 cannot, such as `infinity`. */
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

/** The state of the connection pool, for metrics. */
export interface PoolState {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
  numPendingCreates(): number;
}

/** Returns the state of the connection pools together. */
export function getPool(...dbs: Database[]): PoolState {
  const pools = dbs.map(({ client }) => client.pool as PoolState);
  const sum = (count: keyof PoolState) => pools.reduce((total, pool) => total + pool[count](), 0);
  return {
    numUsed: () => sum('numUsed'),
    numFree: () => sum('numFree'),
    numPendingAcquires: () => sum('numPendingAcquires'),
    numPendingCreates: () => sum('numPendingCreates'),
  };
}

/** Receives warnings of the pool and the query builder. */
export interface DatabaseLog {
  warn(message: string): void;
  error(message: string): void;
}

/** What a pool is for. */
export interface DatabaseOptions {
  /** How long a statement may take, in milliseconds. (Default: 14 s) */
  statementMs?: number;
  /** How long a statement waits for a connection, in milliseconds. (Default: 5 s) */
  waitMs?: number;
}

/**
 * Opens the pool. It limits the number of connections, the wait for one, and the time of a statement.
 *
 * @param log (Default: plain text on the standard output)
 */
export function createDatabase(
  url: string,
  connections: number,
  log?: DatabaseLog,
  { statementMs = 14_000, waitMs = 5_000 }: DatabaseOptions = {},
): Database {
  return knex({
    client: 'pg',
    ...(log && { log: toKnexLog(log) }),
    connection: {
      connectionString: url,
      types,
      connectionTimeoutMillis: 3_000,
      // A half-open connection must not block a request for ever.
      query_timeout: 15_000,
      keepAlive: true,
    } as Knex.PgConnectionConfig,
    pool: {
      min: 0,
      max: connections,
      acquireTimeoutMillis: waitMs,
      afterCreate: boundStatements(statementMs),
    },
    acquireConnectionTimeout: waitMs,
  });
}

/**
 * Sets bounds by a statement, once a connection. PgBouncer refuses them as parameters of the connection. No statement takes
 * the CPUs of several processes: ours are short, and those of lists are bounded.
 */
function boundStatements(statementMs: number) {
  const bounds = `set statement_timeout = ${statementMs}; set idle_in_transaction_session_timeout = 15000`;
  return (connection: pg.Client, done: (error: Error | null, connection: pg.Client) => void): void => {
    connection.query(bounds, (error: Error | null) => done(error, connection));
  };
}

/** Logs the first line of each message. The rest is a stack of the driver. */
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
    // The stack of the driver's error ends at the socket. This one names the caller.
    if (error instanceof Error) Error.captureStackTrace(error);
    publishRefused(db, name, error);
    if (!isLostPlan(error)) {
      markDeadWhenFatal(connection, error);
      throw error;
    }
    // The connection's other statements may be lost too, so it is not used again.
    markDead(connection, error);
    // Nothing was done. A transaction must be repeated as a whole, by the caller.
    if (db.isTransaction) throw error;
    return await run<Row>(connection, { name: '', text, values });
  } finally {
    await db.client.releaseConnection(connection);
  }
}

/** Returns the first row of a prepared statement, or `null` if there is none. */
export async function findRow<Row extends QueryResultRow>(
  ...statement: Parameters<typeof prepared>
): Promise<Row | null> {
  return (await prepared<Row>(...statement))[0] ?? null;
}

/** Returns whether a prepared statement returns a row. */
export async function hasRow(...statement: Parameters<typeof prepared>): Promise<boolean> {
  return (await prepared(...statement)).length > 0;
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

/** Node's codes of a failed TLS handshake, most of them from OpenSSL. Postgres received no statement. */
const tlsErrors =
  /^(ERR_TLS_|ERR_SSL_|EPROTO|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_)/;
/** Errors of the network, the driver and the pool. */
const connectionErrors = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;
const connectionMessages =
  /^(The server does not support SSL|There was an error establishing an SSL|Connection terminated|Client has encountered a connection error|timeout expired|Query read timeout)/;

/**
 * Returns whether Postgres could not be reached, has no resources left, or was lost during a statement. The statement may
 * still have had its effect.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'KnexTimeoutError') return true;
  // One error for many addresses, without a message of its own.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  const { code = '' } = error as { code?: string };
  // SQLSTATE: connection exceptions; refused credentials; no disk, memory or connection left; a server that stops or starts.
  if (/^(08|28|53|57P0[1-3])/.test(code) || tlsErrors.test(code)) return true;
  return connectionErrors.test(code) || connectionMessages.test(error.message);
}

/** Returns whether Postgres ended a statement since it took too long. */
export function isTimeLimit(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '57014';
}

/**
 * Returns whether Postgres refused to run a prepared statement, so that nothing of it ran. It is gone (26000, after `discard
 * all` or behind a pooler), another one has its name (42P05), or a migration changed the type of a result.
 */
function isLostPlan(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === '26000' || code === '42P05') return true;
  return code === '0A000' && message === 'cached plan must not change result type';
}

/** Marks the connection as unusable for the pool, unless the server itself reported the error. */
export function markDeadWhenFatal(connection: pg.Client, error: unknown): void {
  const sqlState = (error as { code?: unknown }).code;
  const answeredByServer =
    typeof sqlState === 'string' && /^[0-9A-Z]{5}$/.test(sqlState) && !/^(57P|08)/.test(sqlState);
  if (!answeredByServer) markDead(connection, error);
}

function markDead(connection: pg.Client, error: unknown): void {
  (connection as { __knex__disposed?: unknown }).__knex__disposed = error;
}
