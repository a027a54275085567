import { parseArgs } from 'node:util';
import { conformanceCases } from './cases/index.ts';
import { mutants } from './mutants.ts';
import { plant } from './plant.ts';
import { runCases, type CaseResult } from './run.ts';
import { formatTable } from './table.ts';
import type { Target } from './subject.ts';
import { openDialectTarget } from './targets/dialect.ts';
import { checkTestKey, openLiveTarget } from './targets/live.ts';
import { replayToMock, whyNoMock } from './targets/mock.ts';
import { openSandboxTarget } from './targets/sandbox.ts';

/*
 * `npm run conformance -- --processor NAME` runs the promises of the port against a processor, and prints one table. It
 * exits with 1 if one is broken.
 */

interface Report {
  columns: Map<string, CaseResult[]>;
  /** What was tried beside the cases, or left out, a line each. */
  notes: string[];
  isBroken: boolean;
}

const usage = 'Usage: npm run conformance -- --processor sandbox|stripe [--grep TEXT] [--mutants]';

async function runTarget(report: Report, target: Target, grep: string, width?: number): Promise<void> {
  const cases = conformanceCases.filter(({ name }) => name.includes(grep));
  try {
    const results = await runCases(target, cases, width);
    report.columns.set(target.name, results);
    report.isBroken ||= results.some(({ state }) => state === 'failed');
  } finally {
    await target.stop();
  }
}

async function runSandbox(report: Report, grep: string): Promise<void> {
  await runTarget(report, await openSandboxTarget(), grep);
}

async function runStripe(report: Report, grep: string): Promise<void> {
  for (const memory of ['keeps keys', 'forgets keys'] as const) {
    const target = await openDialectTarget(memory);
    await runTarget(report, target, grep);
    note(report, "against Stripe's OpenAPI file", target.violations);
    const reason = whyNoMock();
    if (memory === 'forgets keys') continue;
    if (reason) report.notes.push(`stripe-mock: skipped, ${reason}`);
    else
      note(
        report,
        `stripe-mock: ${target.accepted.length} kinds of requests`,
        await replayToMock(target.accepted),
      );
  }
  const key = process.env['STRIPE_SECRET_KEY'];
  if (key) await runTarget(report, openLiveTarget(key), grep, 2);
  else report.notes.push("Stripe's test mode: skipped, STRIPE_SECRET_KEY is not set");
}

/** Plants each fault into the adapter of Stripe, which must fail exactly the cases that name it. */
async function runMutants(report: Report): Promise<void> {
  for (const mutant of mutants) {
    // A target each: its books would hold what all faults before have left.
    const target = await openDialectTarget('keeps keys');
    try {
      const results = await runCases(plant(target, mutant), conformanceCases);
      const failed = results.filter(({ state }) => state === 'failed').map(({ name }) => name);
      const missed = mutant.fails.filter((name) => !failed.includes(name));
      const others = failed.filter((name) => !mutant.fails.includes(name));
      note(report, `mutant: ${mutant.name}`, [
        ...missed.map((name) => `  does not fail: ${name}`),
        ...others.map((name) => `  fails as well: ${name}`),
      ]);
    } finally {
      await target.stop();
    }
  }
}

function note(report: Report, what: string, faults: readonly string[]): void {
  report.notes.push(`${what}: ${faults.length === 0 ? 'as expected' : 'FAILED'}`, ...faults);
  report.isBroken ||= faults.length > 0;
}

const runs = new Map([
  ['sandbox', runSandbox],
  ['stripe', runStripe],
]);

async function main(): Promise<void> {
  const options = {
    processor: { type: 'string' },
    grep: { type: 'string', default: '' },
    mutants: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ options });
  const run = runs.get(values.processor ?? '');
  if (!run || (values.mutants && values.processor !== 'stripe')) {
    console.error(usage);
    process.exitCode = 2;
    return;
  }
  if (process.env['STRIPE_SECRET_KEY']) checkTestKey(process.env['STRIPE_SECRET_KEY']);
  const report: Report = { columns: new Map(), notes: [], isBroken: false };
  await run(report, values.grep);
  if (values.mutants) await runMutants(report);
  console.log([formatTable(report.columns), '', ...report.notes].join('\n'));
  process.exitCode = report.isBroken ? 1 : 0;
}

await main();
