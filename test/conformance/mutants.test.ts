import assert from 'node:assert/strict';
import { conformanceCases } from './cases/index.ts';
import { mutants } from './mutants.ts';
import { plant } from './plant.ts';
import { runCases } from './run.ts';
import { openDialectTarget, type DialectTarget } from './targets/dialect.ts';

/**
 * `stripe.test.ts` shows that each case passes without a fault. That a fault fails no other case is tested by
 * `npm run conformance -- --processor stripe --mutants`, with the whole kit for each.
 */
describe('A fault planted into the adapter of Stripe', () => {
  let target: DialectTarget;
  before(async () => {
    target = await openDialectTarget('keeps keys');
  });
  after(() => target?.stop());

  for (const mutant of mutants) {
    it(`fails each case that names it: ${mutant.name}`, async () => {
      const named = conformanceCases.filter(({ name }) => mutant.fails.includes(name));
      assert.deepEqual(named.map(({ name }) => name).toSorted(), mutant.fails.toSorted());
      const results = await runCases(plant(target, mutant), named);
      const missed = results.filter(({ state }) => state !== 'failed');
      assert.deepEqual(missed, []);
      assert.ok(results.length > 0);
    });
  }
});
