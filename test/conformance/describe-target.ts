import assert from 'node:assert/strict';
import { conformanceCases } from './cases/index.ts';
import { readReason } from './run.ts';
import { features, type Feature, type Subject, type Target } from './subject.ts';

/** The promises of the port, as tests of mocha. What the target declares not to have is not run. */
export function describeTarget<T extends Target>(
  name: string,
  lacks: Subject['lacks'],
  open: () => Promise<T>,
  more: (target: () => T) => void = () => undefined,
): void {
  describe(`The promises of a processor, by ${name}`, () => {
    let target: T;
    before(async () => {
      target = await open();
    });
    after(() => target?.stop());

    for (const one of conformanceCases.filter((each) => readReason({ lacks }, each) === null))
      it(one.name, () => one.run(target.newSubject()));

    it('declares what it has not, each with a reason', () => {
      assert.deepEqual(target.lacks, lacks);
      for (const [feature, reason] of Object.entries(lacks)) {
        assert.ok(feature in features, feature);
        assert.ok(reason.length > 10, feature);
      }
    });

    it('declares the same to the service and to the kit', () => {
      const { processor } = target.newSubject();
      const { capabilities } = processor;
      const pairs: [Feature, boolean][] = [
        ['prepare', processor.prepare !== undefined],
        ['partial_captures', capabilities.partialCaptures],
        ['void_captures', capabilities.voidsCaptures],
        ['reversals', processor.reverseRefund !== undefined],
        ['cards', processor.describeToken !== undefined],
        ['books', processor.listMovements !== undefined],
        ['requests', processor.listTaken !== undefined],
      ];
      for (const [feature, has] of pairs) assert.equal(lacks[feature] === undefined, has, feature);
    });

    more(() => target);
  });
}
