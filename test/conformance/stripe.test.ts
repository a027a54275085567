import assert from 'node:assert/strict';
import { stripeVersion } from '#processor/stripe/client.ts';
import { specVersion } from '../sandbox/stripe/exchanges.ts';
import { conformanceCases } from './cases/index.ts';
import { describeTarget } from './describe-target.ts';
import { readReason } from './run.ts';
import { dialectLacks, openDialectTarget, type Memory } from './targets/dialect.ts';
import { checkTestKey } from './targets/live.ts';
import { replayToMock, whyNoMock } from './targets/mock.ts';

for (const memory of ['keeps keys', 'forgets keys'] as const satisfies readonly Memory[]) {
  const name = `Stripe's adapter over a sandbox that ${memory}`;
  describeTarget(
    name,
    dialectLacks(memory),
    () => openDialectTarget(memory),
    (target) => {
      // The last tests of the file: they look at what all others have sent.
      it("sends and reads only what Stripe's own file allows", () => {
        assert.deepEqual(target().violations, []);
      });
      if (whyNoMock() !== null) return;
      it("sends nothing that Stripe's own mock refuses", async () => {
        assert.deepEqual(await replayToMock(target().accepted), []);
      });
    },
  );
}

describe('The kit of promises', () => {
  it('has cases enough, and lost answers among them', () => {
    const run = conformanceCases.filter(
      (one) => readReason({ lacks: dialectLacks('keeps keys') }, one) === null,
    );
    assert.ok(run.length >= 40, `${run.length} cases`);
    assert.ok(run.filter(({ isLost }) => isLost).length >= 15);
    assert.equal(new Set(conformanceCases.map(({ name }) => name)).size, conformanceCases.length);
  });

  it('speaks the version of the file that it checks', () => {
    assert.equal(stripeVersion, specVersion);
  });

  it('takes no real money, whatever key is set', () => {
    assert.throws(() => checkTestKey('sk_live_0123456789'), /live key/);
    assert.doesNotThrow(() => checkTestKey('sk_test_0123456789'));
  });
});
