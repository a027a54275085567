import assert from 'node:assert/strict';
import { conformanceCases } from './cases/index.ts';
import { mutants } from './mutants.ts';
import { plant } from './plant.ts';
import { runCases } from './run.ts';
import { openDialectTarget, type DialectTarget } from './targets/dialect.ts';

describe('A fault planted into the adapter of Stripe', () => {
  let target: DialectTarget;
  // One for each: what they all leave would be read over and over.
  beforeEach(async () => {
    target = await openDialectTarget('keeps keys');
  });
  afterEach(() => target?.stop());

  for (const mutant of mutants) {
    it(`fails exactly the cases that name it: ${mutant.name}`, async () => {
      const results = await runCases(plant(target, mutant), conformanceCases);
      const failed = results.filter(({ state }) => state === 'failed');
      const names = failed.map(({ name }) => name);
      const why = failed.map(({ name, detail }) => `${name}: ${detail}`).join('\n');
      assert.deepEqual(names.toSorted(), mutant.fails.toSorted(), why);
      assert.ok(failed.length > 0);
    });
  }

  it('is what the kit finds: without one nothing fails', async () => {
    const results = await runCases(target, conformanceCases);
    assert.deepEqual(
      results.filter(({ state }) => state === 'failed'),
      [],
    );
  });
});
