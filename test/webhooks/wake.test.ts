import assert from 'node:assert/strict';
import { Waker } from '#webhooks/wake.ts';
import { createDatabase } from '#db/knex.ts';
import { eventually } from '../support/eventually.ts';

describe('Waking endpoints', () => {
  const many = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

  /** Whom it wakes, in order. Each takes a moment. */
  function start(fail: (id: string) => boolean = () => false) {
    const [woken, warned]: [string[], string[]] = [[], []];
    const db = createDatabase('postgres://127.0.0.1:9/nowhere', 1);
    const log = { warn: (line: string) => void warned.push(line), error: () => undefined };
    const wake = async (id: string) => {
      await new Promise(setImmediate);
      if (fail(id)) throw new Error('Temporal is away');
      woken.push(id);
    };
    return { waker: new Waker({ db, log, wake }), woken, warned };
  }

  it('has none in a hurry wait for those that are not', async () => {
    const { waker, woken } = start();
    for (const id of many('slow', 50)) waker.wakeLater(id);
    for (const id of many('fresh', 50)) waker.wake(id);
    await eventually('all are woken', () => woken.length === 100);
    const lastFresh = woken.findLastIndex((id) => id.startsWith('fresh'));
    assert.ok(lastFresh < 55, `${lastFresh - 49} slow ones came before`);
    assert.deepEqual(
      woken.filter((id) => id.startsWith('slow')),
      many('slow', 50),
    );
  });

  it('wakes an idle endpoint only when its work comes', async () => {
    const { waker, woken } = start();
    waker.wakeLater('parked-long', 60_000);
    waker.wakeLater('parked', 200);
    const askedAt = Date.now();
    await eventually('it is woken', () => woken.length > 0);
    assert.ok(Date.now() - askedAt >= 190, `${Date.now() - askedAt} ms`);
    assert.deepEqual(woken, ['parked']);
  });

  it('goes on behind one that could not be woken', async () => {
    const { waker, woken, warned } = start((id) => id.endsWith('0'));
    for (const id of many('slow', 3)) waker.wakeLater(id);
    for (const id of many('fresh', 3)) waker.wake(id);
    await eventually('the others are woken', () => woken.length === 4);
    assert.equal(warned.length, 2);
  });

  it('ends without those that are in no hurry', async () => {
    const { waker, woken } = start();
    for (const id of many('slow', 1_000)) waker.wakeLater(id);
    for (const id of many('fresh', 10)) waker.wake(id);
    const closed = waker.close();
    for (const id of many('late', 1_000)) waker.wakeLater(id);
    await closed;
    assert.deepEqual(woken.filter((id) => id.startsWith('fresh')).toSorted(), many('fresh', 10));
    assert.ok(woken.length < 20, `${woken.length}`);
  });
});
