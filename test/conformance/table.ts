import type { CaseResult } from './run.ts';

const marks = { passed: 'ok', failed: 'FAILED', declared: '-' } as const;

/** Formats results as one table: a line a case, a column a target. Reasons and faults come below. */
export function formatTable(columns: ReadonlyMap<string, readonly CaseResult[]>): string {
  const names = [...new Set([...columns.values()].flat().map(({ name }) => name))];
  const width = Math.max(...names.map((name) => name.length));
  const heads = [...columns.keys()];
  const lines = [['case'.padEnd(width), ...heads].join('  ')];
  for (const name of names) {
    const cells = heads.map((head) => {
      const result = columns.get(head)?.find((one) => one.name === name);
      return (result ? marks[result.state] : '').padEnd(head.length);
    });
    lines.push([name.padEnd(width), ...cells].join('  ').trimEnd());
  }
  for (const [head, results] of columns) lines.push('', ...explain(head, results));
  return lines.join('\n');
}

function explain(head: string, results: readonly CaseResult[]): string[] {
  const count = (state: CaseResult['state']) => results.filter((one) => one.state === state);
  const [passed, failed, declared] = [count('passed'), count('failed'), count('declared')];
  const lost = passed.filter(({ isLost }) => isLost).length;
  const sum = `${passed.length} passed (${lost} of lost answers), ${failed.length} failed, ${declared.length} declared`;
  const reasons = new Set(declared.map(({ detail }) => detail));
  return [
    `${head}: ${sum}`,
    ...[...reasons].map((reason) => `  - it has not: ${reason}`),
    ...failed.map(({ name, detail }) => `  FAILED ${name}\n    ${(detail ?? '').replaceAll('\n', '\n    ')}`),
  ];
}
