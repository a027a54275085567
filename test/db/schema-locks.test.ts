import assert from 'node:assert/strict';
import type { Knex } from 'knex';
import { ulid } from 'ulid';
import { migrate, type Migration } from '#db/migrate.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { deleteFromDefaults, ensurePartitions } from '#db/partitions.ts';
import { formatId } from '#domain/ids.ts';
import { createTestDatabase } from '../support/stack/app.ts';
import { eventually } from '../support/eventually.ts';

const weekMs = 7 * 24 * 60 * 60_000;
const thisWeek = Math.floor(Date.now() / weekMs);

/** A migration of a later release. */
const addNote: Migration = {
  async up(transaction) {
    await transaction.raw('alter table charges add column note text');
  },
};

/** What changes the schema, while others hold the tables; in a database of its own. */
describe('Changes of the schema', function () {
  let url: string;
  let db: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const database = await createTestDatabase();
    ({ url } = database);
    drop = () => database.drop();
    db = createDatabase(url, 8);
  });
  after(async () => {
    await db.destroy();
    await drop();
  });

  /** A week that has no partition yet, further ahead for each test. */
  let ahead = 0;
  let now: Date;
  beforeEach(() => {
    ahead += 10;
    now = new Date((thisWeek + ahead) * weekMs);
  });

  const names = (table: string) =>
    [0, 1, 2, 3, 4].map(
      (n) =>
        `${table}_${new Date((thisWeek + ahead + n) * weekMs).toISOString().slice(0, 10).replaceAll('-', '')}`,
    );
  const all = () => ['events', 'webhook_attempts', 'webhook_deliveries'].flatMap(names).toSorted();
  const made = async (): Promise<string[]> => {
    const rows = await db('pg_class').whereIn('relname', all()).where('relispartition', true);
    return rows.map(({ relname: name }) => String(name)).toSorted();
  };

  let sequence = 0;
  async function addEvents(count: number, at = now.getTime() + 1_000): Promise<string[]> {
    const events = Array.from({ length: count }, (_, n) => ({
      id: formatId('event', ulid(at + n)),
      account_id: 'acct_x',
      sequence: (sequence += 1),
      type: 'charge.succeeded',
      resource_id: 'ch_x',
      object: '{}',
      created_at: new Date(at + n),
    }));
    await db.batchInsert('events', events, 1_000);
    return events.map(({ id }) => id).toSorted();
  }
  const findEvents = async (table: string) =>
    (
      await db(table)
        .where('id', '>=', formatId('event', ulid(now.getTime())))
        .orderBy('id')
    ).map(({ id }) => String(id));

  async function reading<Result>(work: (reader: Knex.Transaction) => Promise<Result>): Promise<Result> {
    const reader = await db.transaction();
    try {
      await reader('events').where({ resource_id: 'none' });
      return await work(reader);
    } finally {
      await reader.rollback();
    }
  }

  it('make partitions once a long reader is gone', async () => {
    let isDone = false;
    const done = await reading(async () => {
      const ensuring = ensurePartitions(db, now, 30_000).finally(() => (isDone = true));
      const slowest = await slowestWrite(3_000);
      assert.ok(slowest < 10_000, `a write took ${slowest} ms`);
      assert.equal(isDone, false);
      return { ensuring };
    });
    assert.deepEqual(await done.ensuring, []);
    assert.deepEqual(await made(), all());
  });

  it('name the partitions that a reader did not allow', async () => {
    const missing = await reading(() => ensurePartitions(db, now, 500));
    assert.deepEqual(
      missing.map(({ name }) => name),
      names('events'),
    );
    assert.equal(missing[0]?.startsAt.getTime(), now.getTime());
  });

  it('move rows of a coming week to its partition', async () => {
    const ids = await addEvents(3_000);
    assert.deepEqual(await findEvents('events_default'), ids);
    assert.deepEqual(await ensurePartitions(db, now), []);
    assert.deepEqual(await made(), all());
    assert.deepEqual([await findEvents('events_default'), await findEvents(names('events')[0]!)], [[], ids]);
    assert.deepEqual(await findEvents('events'), ids);
  });

  it('leave a week with too many rows in place', async () => {
    const ids = await addEvents(20_001);
    assert.deepEqual(await ensurePartitions(db, now), []);
    assert.equal((await made()).length, 14);
    assert.equal((await findEvents('events_default')).length, ids.length);
    const after = new Date(now.getTime() + weekMs);
    while ((await deleteFromDefaults(db, after, 5_000)).hasMore);
    assert.deepEqual(await findEvents('events_default'), []);
  });

  it('say in npm run migrate whom they wait for', async () => {
    const lines: string[] = [];
    const migrating = await reading(async (reader) => {
      await reader('charges').limit(1);
      const work = migrate(url, { log: (line) => void lines.push(line), later: { '0999_note': addNote } });
      const told = await eventually('it says so', () => lines.find((line) => line.includes('table charges')));
      const { rows } = await reader.raw('select pg_backend_pid() as pid');
      assert.match(
        told,
        new RegExp(`^waiting for table charges: process ${rows[0].pid} \\(.*idle in transaction\\)`),
      );
      const slowest = await slowestWrite(3_000);
      assert.ok(slowest < 10_000, `a write took ${slowest} ms`);
      return { work };
    });
    await migrating.work;
    assert.ok(await db.schema.hasColumn('charges', 'note'));
  });

  it('go on after a migration that was killed', async () => {
    await db('knex_migrations_lock').update({ is_locked: 1 });
    await migrate(url, { later: { '0999_note': addNote } });
    assert.equal((await db('knex_migrations_lock').first()).is_locked, 0);
  });

  /** Writes events of this week for a while, and returns the milliseconds of the slowest. */
  async function slowestWrite(forMs: number): Promise<number> {
    const until = Date.now() + forMs;
    let slowest = 0;
    while (Date.now() < until) {
      const startedAt = Date.now();
      await addEvents(1, Date.now());
      await db('charges').where({ id: 'none' }).update({ amount: 1 });
      slowest = Math.max(slowest, Date.now() - startedAt);
    }
    return slowest;
  }
});
