import type { ConformanceCase } from './case.ts';
import type { Target } from './subject.ts';

export interface CaseResult {
  name: string;
  isLost: boolean;
  state: 'passed' | 'failed' | 'declared';
  /** Why it failed, or why the processor has no such thing. */
  detail: string | null;
  error: unknown;
}

/** Returns why the processor has not what the case needs; `null`: it has. */
export function readReason(target: Pick<Target, 'lacks'>, { needs }: ConformanceCase): string | null {
  for (const feature of needs) {
    const reason = target.lacks[feature];
    if (reason !== undefined) return reason;
  }
  return null;
}

/** Runs one case on a subject of its own. */
export async function runCase(target: Target, one: ConformanceCase): Promise<CaseResult> {
  const { name, isLost } = one;
  const reason = readReason(target, one);
  if (reason !== null) return { name, isLost, state: 'declared', detail: reason, error: null };
  try {
    await one.run(target.newSubject());
    return { name, isLost, state: 'passed', detail: null, error: null };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { name, isLost, state: 'failed', detail, error };
  }
}

/** Runs cases side by side, and returns their results in order. Each has charges and faults of its own. */
export async function runCases(
  target: Target,
  cases: readonly ConformanceCase[],
  width = 8,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  const waiting = [...cases.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, one] = next;
      results[index] = await runCase(target, one);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return results;
}
