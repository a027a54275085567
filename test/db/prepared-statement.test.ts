import assert from 'node:assert/strict';
import { createDatabase, prepared, type Database } from '#db/knex.ts';
import { createTestDatabase } from '../support/stack/app.ts';

/** On one connection, so that a statement is described once, and used again. */
describe('A prepared statement', () => {
  let db: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const database = await createTestDatabase();
    drop = () => database.drop();
    db = createDatabase(database.url, 1);
  });
  after(async () => {
    await db.destroy();
    await drop();
  });

  const every = `select $1::bigint as amount, $2::timestamptz as at, $3::bytea as bytes, $4::json as object,
    $5::text[] as list, $6::text as nothing, true as yes`;
  const values = {
    amount: 2 ** 40,
    at: new Date('2026-11-01T12:00:00.123Z'),
    bytes: Buffer.from([0, 255]),
    object: { a: [1] },
    list: ['ä', 'b"c', ''],
    nothing: null,
  };

  it('reads each time the same as an unprepared one', async () => {
    const expected = { ...values, yes: true };
    for (let time = 1; time <= 3; time += 1) {
      assert.deepEqual(await prepared(db, 'every', every, Object.values(values)), [expected]);
    }
    const { rows } = await db.raw<{ rows: object[] }>(every.replaceAll(/\$\d/g, '?'), Object.values(values));
    assert.deepEqual(rows, [expected]);
  });

  it('reads columns in camelCase, even after losing its plan', async () => {
    const read = () =>
      prepared(db, 'names', `select 1 as claim_id, 2 as address_2, 3 as "asIs", 4 as plain`, []);
    const expected = { claimId: 1, address2: 2, asIs: 3, plain: 4 };
    for (let time = 1; time <= 2; time += 1) assert.deepEqual(await read(), [expected]);
    await db.raw('deallocate all');
    assert.deepEqual(await read(), [expected]);
  });

  it('reads times to milliseconds in any zone, also infinity', async () => {
    const text = `select '2026-11-01T12:00:00.5Z'::timestamptz as short, '2026-11-01T12:00:00.123999Z'::timestamptz as long,
      '1999-12-31T23:59:59Z'::timestamptz as whole, 'infinity'::timestamptz as endless`;
    const expected = {
      short: new Date('2026-11-01T12:00:00.500Z'),
      long: new Date('2026-11-01T12:00:00.123Z'),
      whole: new Date('1999-12-31T23:59:59.000Z'),
      endless: Infinity,
    };
    for (const zone of ['UTC', 'Asia/Kolkata', 'America/St_Johns']) {
      await db.raw(`set time zone '${zone}'`);
      assert.deepEqual(await prepared(db, 'times', text, []), [expected], zone);
    }
    await db.raw('reset time zone');
  });

  it('may have no row, and many', async () => {
    const text = 'select n from generate_series(1, $1::int) as n';
    for (const count of [0, 3, 0, 1_000]) {
      const rows = await prepared<{ n: number }>(db, 'series', text, [count]);
      assert.deepEqual(
        rows.map(({ n }) => n),
        Array.from({ length: count }, (_none, index) => index + 1),
      );
    }
  });

  it('that returns nothing takes effect all the same', async () => {
    const text = "insert into accounts (id, name) values ($1, 'Test')";
    for (const id of ['acct_a', 'acct_b']) assert.deepEqual(await prepared(db, 'insert', text, [id]), []);
    assert.equal((await db('accounts').whereIn('id', ['acct_a', 'acct_b'])).length, 2);
  });

  it('that fails says so, and the connection goes on', async () => {
    for (let time = 1; time <= 2; time += 1) {
      const failing = prepared(db, 'division', 'select 1 / $1::int as ratio', [0]);
      await assert.rejects(failing, { code: '22012' });
    }
    assert.deepEqual(await prepared(db, 'division', 'select 1 / $1::int as ratio', [1]), [{ ratio: 1 }]);
  });

  it('that cannot be parsed says so each time', async () => {
    for (let time = 1; time <= 2; time += 1) {
      await assert.rejects(prepared(db, 'nonsense', 'select nonsense', []), { code: '42703' });
    }
  });

  it('fails on an inexact number; the next one works', async () => {
    const text = 'select $1::bigint as big';
    for (const big of ['9007199254740993', '9007199254740994']) {
      await assert.rejects(prepared(db, 'big', text, [big]), /beyond 2\^53/);
    }
    assert.deepEqual(await prepared(db, 'big', text, [7]), [{ big: 7 }]);
  });

  it('is refused under the name of another', async () => {
    await prepared(db, 'one', 'select 1 as one', []);
    await assert.rejects(prepared(db, 'one', 'select 2 as one', []), /Two statements are called one/);
    assert.deepEqual(await prepared(db, 'one', 'select 1 as one', []), [{ one: 1 }]);
  });

  it('that cannot be sent leaves the transaction usable', async () => {
    const circular: { self?: object } = {};
    circular.self = circular;
    const rows = await db.transaction(async (trx) => {
      await assert.rejects(prepared(trx, 'object', 'select $1::json as object', [circular]), TypeError);
      return prepared(trx, 'object', 'select $1::json as object', [{}]);
    });
    assert.deepEqual(rows, [{ object: {} }]);
  });

  it('reads its columns of a table that has more', async () => {
    const read = () => prepared<object>(db, 'growing', 'select * from growing', []);
    await db.raw('create table growing (id text)');
    await db('growing').insert({ id: 'a' });
    assert.deepEqual(await read(), [{ id: 'a' }]);
    await db.raw("alter table growing add column reason text default 'b'");
    for (let time = 1; time <= 2; time += 1) assert.deepEqual(await read(), [{ id: 'a', reason: 'b' }]);
  });

  it('that is gone is done once all the same', async () => {
    await db.raw('create table counted (n int)');
    const add = () => prepared<{ n: number }>(db, 'add', 'insert into counted values ($1) returning n', [1]);
    for (const forget of ['deallocate all', 'discard all']) {
      await add();
      await db.raw(forget);
      for (let time = 1; time <= 2; time += 1) assert.deepEqual(await add(), [{ n: 1 }], forget);
    }
    assert.equal((await db('counted')).length, 6);
  });

  it('runs although another one already uses its name', async () => {
    await db.raw('prepare theirs as select 2 as n');
    const read = () => prepared(db, 'theirs', 'select 1 as n', []);
    for (let time = 1; time <= 2; time += 1) assert.deepEqual(await read(), [{ n: 1 }]);
  });

  it('lost in a transaction fails only that transaction', async () => {
    const read = (on: Database) => prepared(on, 'one-more', 'select 1 as one', []);
    await read(db);
    const transaction = db.transaction(async (trx) => {
      await trx.raw('deallocate all');
      await read(trx);
    });
    await assert.rejects(transaction, { code: '26000' });
    assert.deepEqual(await read(db), [{ one: 1 }]);
  });

  it('is bounded in time by the server as well', async () => {
    const { rows } = await db.raw<{ rows: object[] }>(
      `select current_setting('statement_timeout') as statement,
         current_setting('idle_in_transaction_session_timeout') as idle`,
    );
    assert.deepEqual(rows, [{ statement: '14s', idle: '15s' }]);
  });

  it('says in its error who asked', async () => {
    async function asker() {
      return await prepared(db, 'division', 'select 1 / $1::int as ratio', [0]);
    }
    await assert.rejects(asker, (error: Error) => error.stack?.includes('asker') === true);
  });
});
