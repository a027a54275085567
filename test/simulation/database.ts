import { createHash } from 'node:crypto';
import type pg from 'pg';
import { setClock } from '#db/clock.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { createTestDatabase } from '../support/stack/app.ts';
import type { Actor, Fate } from './actors.ts';
import type { Clock } from './clock.ts';
import type { Plant } from './plants.ts';

/**
 * A real Postgres with a simulated clock. A schema that is searched before `pg_catalog` holds functions of the names by
 * which statements ask for the time. Everything else is as it always is.
 */
export interface SimulatedDatabase {
  /** One session. Its prepared statements see the simulated time. */
  db: Database;
  /** The pool itself, for what does not ask for the time. */
  pool: Database;
  /** Returns the pool as an actor has it: each statement is a call at which the actor stands. */
  forActor(actor: Actor): Database;
  /** Plants a fault in statements, or takes it away. */
  plant(fault: Plant['statement'] | null): void;
  /** Has this process follow the time of the session. @param ms since 1970. */
  followClock(ms: number): Promise<void>;
  close(): Promise<void>;
}

const clockFunctions = ['clock_timestamp', 'statement_timestamp', 'now'];
const currentTime = `to_timestamp(current_setting('simulation.ms')::float8 / 1000)`;

/** Column defaults were bound to the functions of `pg_catalog` when their tables were made. */
const rebindDefaults = `do $$ declare d record; begin
  for d in select c.oid::regclass as tbl, a.attname as col from pg_attrdef f join pg_class c on c.oid = f.adrelid
    join pg_attribute a on a.attrelid = f.adrelid and a.attnum = f.adnum
    where c.relnamespace = 'public'::regnamespace and not c.relispartition
      and pg_get_expr(f.adbin, f.adrelid) ~ '^(clock_timestamp|now)\\(\\)$'
  loop execute format('alter table %s alter column %I set default simulation.clock_timestamp()', d.tbl, d.col);
  end loop; end $$`;

/** What the driver's client runs, and what it calls when it is over. */
type Statement = pg.Submittable & {
  name: string;
  text: string;
  callback: (error: Error | null, rows: unknown[]) => void;
};

export async function openDatabase(clock: Clock): Promise<SimulatedDatabase> {
  const database = await createTestDatabase();
  await prepare(database.url);
  const db = createDatabase(database.url, 1);
  const session = { ms: Number.NaN };
  let planted: Plant['statement'] | null = null;

  async function run(statement: Statement): Promise<unknown[]> {
    if (planted) change(statement, planted);
    const connection: pg.Client = await db.client.acquireConnection();
    const own = statement.callback;
    try {
      if (session.ms !== clock.nowMs) await connection.query(`set simulation.ms = '${clock.nowMs}'`);
      session.ms = clock.nowMs;
      return await new Promise((resolve, reject) => {
        statement.callback = (error, rows) => (error ? reject(error) : resolve(rows));
        connection.query(statement);
      });
    } finally {
      statement.callback = own;
      await db.client.releaseConnection(connection);
    }
  }

  /** The pool with `runs` in the place of its connections. */
  function withConnection(runs: (statement: Statement) => Promise<unknown[]>): Database {
    const query = (statement: Statement) =>
      void runs(statement).then(
        (rows) => statement.callback(null, rows),
        (error: Error) => statement.callback(error, []),
      );
    const client = {
      acquireConnection: () => Promise.resolve({ query }),
      releaseConnection: () => Promise.resolve(),
    };
    return new Proxy(db, {
      get: (pool, name) => (name === 'client' ? client : (Reflect.get(pool, name) as unknown)),
    });
  }

  return {
    db: withConnection(run),
    pool: db,
    forActor: (actor) =>
      withConnection((statement) => {
        const { name } = statement;
        return actor.perform({ kind: 'sql', name, run: (fate) => withFate(fate, () => run(statement)) });
      }),
    plant(fault) {
      planted = fault;
    },
    async followClock(ms) {
      await db.raw(`set simulation.ms = '${ms}'`);
      session.ms = ms;
      await setClock(db);
    },
    async close() {
      await db.destroy();
      await database.drop();
    },
  };
}

/** A changed statement has another name: Postgres keeps the plan of the first one. */
function change(statement: Statement, { name, from, to }: NonNullable<Plant['statement']>): void {
  if (!name.test(statement.name) || !statement.text.includes(from)) return;
  statement.text = statement.text.replace(from, to);
  statement.name += `-${createHash('sha256').update(statement.text).digest('hex').slice(0, 8)}`;
}

async function prepare(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const db = createDatabase(url, 1);
  const functions = clockFunctions.map(
    (one) =>
      `create function simulation.${one}() returns timestamptz language sql stable as $$ select ${currentTime} $$`,
  );
  const settings = ['search_path = simulation, pg_catalog, public', 'synchronous_commit = off'];
  try {
    const alter = settings.map((setting) => `alter database ${name} set ${setting}`);
    await db.raw(['create schema simulation', ...functions, rebindDefaults, ...alter].join(';\n'));
  } finally {
    await db.destroy();
  }
}

/** A connection that breaks: before the statement was sent, or after it was committed. */
async function withFate<Result>(fate: Fate, effect: () => Promise<Result>): Promise<Result> {
  if (fate !== 'not_sent') {
    const result = await effect();
    if (fate === 'done') return result;
  }
  throw new Error('Connection terminated unexpectedly');
}
