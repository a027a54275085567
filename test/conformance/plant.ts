import type { Mutant } from './mutants.ts';
import type { DialectTarget } from './targets/dialect.ts';
import type { Subject, Target } from './subject.ts';

/** Returns the target with a fault planted into its adapter. */
export function plant(target: DialectTarget, { adapter, transport }: Mutant): Target {
  return {
    ...target,
    newSubject(): Subject {
      const subject = target.newSubject(
        transport && ((inner) => ({ exchange: transport(inner), close: () => inner.close() })),
      );
      const { processor } = subject;
      // What a fault hides never comes; without one it takes half a second.
      const planted = { ...subject, maxWaitMs: 5_000 };
      return adapter ? { ...planted, processor: { ...processor, ...adapter(processor) } } : planted;
    },
  };
}
