import assert from 'node:assert/strict';
import { OptionsError, readOptions } from './options.ts';
import { plants } from './plants.ts';
import { openRig, simulate, type SimulationRig } from './simulate.ts';

/** So many show in each `npm test` that the simulator works; CI runs a thousand by `npm run simulate`. */
const seeds = 10;

describe('The simulator', () => {
  let rig: SimulationRig;

  before(async () => {
    rig = await openRig();
  });
  after(() => rig.close());

  it('finds every promise kept, seed after seed', async () => {
    const found: string[] = [];
    let replays = 0;
    for (let seed = 1; seed <= seeds; seed += 1) {
      const simulated = await simulate(rig, String(seed));
      replays += simulated.replays;
      if (simulated.faults.length > 0) found.push(`${seed}: ${simulated.faults.join('; ')}`);
    }
    assert.deepEqual(found, []);
    assert.ok(replays > 0, 'workflows were replayed');
  });

  it('keeps every promise while all wakes are lost', async () => {
    let unheard = 0;
    for (let seed = 1; seed <= seeds / 2; seed += 1) {
      const lost = { about: 'No run hears a wake.', seed, scenario: { lostWakes: 1 } };
      const { faults, trace } = await simulate(rig, String(seed), lost);
      assert.deepEqual(faults, [], `seed ${seed}`);
      unheard += trace.filter((line) => line.includes(', unheard')).length;
    }
    assert.ok(unheard > 0, 'wakes were lost');
  });

  it('gives a seed the same trace, byte for byte', async () => {
    for (const seed of ['7', '8', '9']) {
      const [one, other] = [await simulate(rig, seed), await simulate(rig, seed)];
      assert.ok(one.trace.length > 5);
      assert.equal(one.trace.join('\n'), other.trace.join('\n'));
    }
  });

  for (const [name, plant] of Object.entries(plants)) {
    it(`finds the fault ${name} again by its seed`, async () => {
      const { faults } = await simulate(rig, String(plant.seed), plant);
      assert.notDeepEqual(faults, []);
    });
  }

  it('passes the seeds of those faults without them', async () => {
    for (const { seed } of Object.values(plants))
      assert.deepEqual((await simulate(rig, String(seed))).faults, []);
  });
});

describe('The options of a simulation', () => {
  it('have defaults, and are what was asked for', () => {
    assert.deepEqual(readOptions([]), { seeds: 1000, from: 1, trace: false, plant: null });
    const args = ['--seeds', '5', '--from', '7', '--trace', '--plant', 'late-answer'];
    assert.deepEqual(readOptions(args), { seeds: 5, from: 7, trace: true, plant: 'late-answer' });
    assert.equal(readOptions(['--help']), null);
  });

  for (const args of [['--seeds', '0'], ['--from', 'x'], ['--bogus'], ['5']])
    it(`refuse the wrong arguments ${args.join(' ')}`, () =>
      assert.throws(() => readOptions(args), OptionsError));
});
