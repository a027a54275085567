import assert from 'node:assert/strict';
import { currentTimeMs, setClock } from '#db/clock.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { createTestDatabase } from '../support/stack/app.ts';

/** A schema that is searched before `pg_catalog` has a clock that is ahead, and that answers late or asks late. */
const shiftedClock = `
  create schema shifted;
  create function shifted.clock_timestamp() returns timestamptz language plpgsql volatile as $$
  declare seen timestamptz;
  begin
    perform pg_sleep(current_setting('shifted.before_s')::float8);
    seen := pg_catalog.clock_timestamp() + current_setting('shifted.by')::interval;
    perform pg_sleep(current_setting('shifted.after_s')::float8);
    return seen;
  end $$;
  set search_path = shifted, pg_catalog, public;`;

describe('The clock of a process', function () {
  let db: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const database = await createTestDatabase();
    drop = () => database.drop();
    db = createDatabase(database.url, 1);
    await db.raw(shiftedClock);
  });
  beforeEach(() => read({}));
  after(async () => {
    await read({});
    await db.destroy();
    await drop();
  });

  /** @param by how far Postgres' clock is ahead. @param beforeS how long it takes until it looks at its clock. */
  async function read({ by = '0', beforeS = 0, afterS = 0 }): Promise<void> {
    await db.raw(
      `set shifted.by = '${by}'; set shifted.before_s = '${beforeS}'; set shifted.after_s = '${afterS}'`,
    );
    await setClock(db);
  }
  /** How far the clock of the process is ahead of this machine's, in milliseconds. */
  const aheadMs = () => currentTimeMs() - Date.now();

  it('follows Postgres, ahead and back', async () => {
    await read({ by: '1 hour' });
    assert.ok(Math.abs(aheadMs() - 3_600_000) < 500, `it is ${aheadMs()} ms ahead`);
    await read({ by: '-1 hour' });
    assert.ok(Math.abs(aheadMs() + 3_600_000) < 500, `it is ${aheadMs()} ms ahead`);
  });

  const slowReads = { question: { by: '20 ms', beforeS: 1 }, answer: { by: '-20 ms', afterS: 1 } };
  for (const [name, slow] of Object.entries(slowReads)) {
    it(`moves little by a slow ${name}`, async () => {
      const was = aheadMs();
      await read(slow);
      assert.ok(Math.abs(aheadMs() - was) < 100, `it moved from ${was} to ${aheadMs()} ms ahead`);
    });
  }

  it('follows Postgres by a very slow read too', async () => {
    await read({ by: '1 hour', afterS: 2.5 });
    assert.ok(Math.abs(aheadMs() - 3_600_000) < 4_000, `it is ${aheadMs()} ms ahead`);
  });

  it('stands still rather than going back', async () => {
    await read({ by: '1 second' });
    const latest = currentTimeMs();
    await read({});
    assert.ok(currentTimeMs() >= latest, `it went back from ${latest} to ${currentTimeMs()}`);
    assert.ok(currentTimeMs() < latest + 500, 'it went on');
  });
});
