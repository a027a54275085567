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

  it('wakes the others when one fails', async () => {
    const { waker, woken, warned } = start((id) => id.endsWith('0'));
    for (const id of many('endpoint', 40)) waker.wake(id);
    await eventually('the others are woken', () => woken.length === 36);
    assert.equal(warned.length, 4);
  });

  it('ends when every endpoint is woken', async () => {
    const { waker, woken } = start();
    for (const id of many('endpoint', 40)) waker.wake(id);
    await waker.close();
    assert.deepEqual(woken.toSorted(), many('endpoint', 40).toSorted());
  });
});
