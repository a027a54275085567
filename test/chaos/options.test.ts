import assert from 'node:assert/strict';
import { OptionsError, readOptions } from './options.ts';
import { createRandom } from './random.ts';

describe('The options of a chaos run', () => {
  it('have defaults, and a seed at random', () => {
    const options = readOptions([]);
    const expected = {
      minutes: 5,
      seed: '',
      rate: 6,
      clients: 12,
      execution: 'mixed',
      from: null,
      keep: false,
    };
    assert.deepEqual({ ...options, seed: '' }, expected);
    assert.match(options!.seed, /^\d+$/);
  });

  it('are what was asked for', () => {
    const args = [
      '--minutes',
      '0.5',
      '--seed',
      'x',
      '--rate',
      '2',
      '--clients',
      '3',
      '--from',
      'v1.0.0',
      '--keep',
    ];
    const expected = {
      minutes: 0.5,
      seed: 'x',
      rate: 2,
      clients: 3,
      execution: 'inline',
      from: 'v1.0.0',
      keep: true,
    };
    assert.deepEqual(readOptions([...args, '--execution', 'inline']), expected);
    assert.equal(readOptions(['--help']), null);
  });

  for (const args of [['--minutes', '0'], ['--rate', 'x'], ['--execution', 'eager'], ['--bogus'], ['5']]) {
    it(`refuse the wrong arguments ${args.join(' ')}`, () =>
      assert.throws(() => readOptions(args), OptionsError));
  }
});

describe('A seed', () => {
  const draw = (seed: string, fork: string) => {
    const random = createRandom(seed).fork(fork);
    return [random.word(), random.integer(1, 1_000_000), random.next()];
  };

  it('decides all random values, separately for each thread', () => {
    assert.deepEqual(draw('1', 'load'), draw('1', 'load'));
    assert.notDeepEqual(draw('1', 'load'), draw('2', 'load'));
    assert.notDeepEqual(draw('1', 'load'), draw('1', 'faults'));
  });

  it('draws by weight, and never what weighs nothing', () => {
    const random = createRandom('weights');
    const drawn = Array.from({ length: 4_000 }, () =>
      random.weighted([
        [1, 'a'],
        [3, 'b'],
        [0, 'c'],
      ]),
    );
    const share = drawn.filter((one) => one === 'b').length / drawn.length;
    assert.ok(share > 0.7 && share < 0.8, String(share));
    assert.ok(!drawn.includes('c'));
  });
});
