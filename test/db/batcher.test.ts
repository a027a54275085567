import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Batcher } from '#db/batcher.ts';

describe('A batcher', () => {
  /** Batches that were begun; each ends after two turns. */
  function start({ most, atOnce = 1 }: { most?: number; atOnce?: number } = {}) {
    const batches: number[][] = [];
    const batcher = new Batcher<number, number>({
      ...(most !== undefined && { most }),
      atOnce,
      async run(items) {
        batches.push(items);
        await turn();
        await turn();
        if (items.includes(13)) throw new Error('unlucky');
        return items.map((item) => item * 2);
      },
    });
    return { batcher, batches };
  }

  it('gives each item of a shared batch its own result', async () => {
    const { batcher, batches } = start();
    assert.deepEqual(await Promise.all([1, 2, 3].map((item) => batcher.add(item))), [2, 4, 6]);
    assert.deepEqual(batches, [[1, 2, 3]]);
  });

  it('keeps later items for the next batch', async () => {
    const { batcher, batches } = start({ most: 2 });
    const first = [1, 2, 3].map((item) => batcher.add(item));
    await turn();
    await turn();
    await Promise.all([...first, batcher.add(4)]);
    assert.deepEqual(batches, [
      [1, 2],
      [3, 4],
    ]);
  });

  it('fails the items of a failed batch alone', async () => {
    const { batcher } = start({ most: 1, atOnce: 2 });
    const all = await Promise.allSettled([13, 1].map((item) => batcher.add(item)));
    assert.deepEqual(
      all.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
  });

  it('ends its last batch before it closes', async () => {
    const { batcher, batches } = start({ most: 1 });
    const added = [1, 2].map((item) => batcher.add(item));
    await batcher.close();
    assert.deepEqual(batches, [[1], [2]]);
    assert.deepEqual(await Promise.all(added), [2, 4]);
  });
});
