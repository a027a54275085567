import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { withoutLines } from './options.ts';
import { targets } from './targets.ts';

/** Runs Stryker, which makes the mutants and runs mocha against each. */

const home = '.local/mutation';
const tools = `${home}/tools`;

/**
 * Not in package.json: it is 78 MiB, and needs a mocha of its own, since it has no runner for ours.
 * Stryker 9 is the last that runs on Node 20.
 */
const packages = {
  '@stryker-mutator/core': '9.6.1',
  '@stryker-mutator/mocha-runner': '9.6.1',
  mocha: '11.8.0',
};

/** Installs Stryker, unless that was done before. @throws when npm fails. */
export async function installStryker(log: (line: string) => void): Promise<void> {
  const wanted = JSON.stringify({ private: true, dependencies: packages });
  const manifest = join(tools, 'package.json');
  const done = join(tools, 'node_modules/.package-lock.json');
  if (existsSync(done) && existsSync(manifest) && readFileSync(manifest, 'utf8') === wanted) return;
  log('Installing Stryker …');
  rmSync(tools, { recursive: true, force: true });
  mkdirSync(tools, { recursive: true });
  writeFileSync(manifest, wanted);
  const code = await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], tools, 'ignore');
  if (code !== 0) throw new Error(`npm install of Stryker failed (exit code ${code})`);
}

/** Returns where the result of a target is kept. */
export function reportPath(target: string): string {
  return `${home}/reports/${target.replaceAll(':', '@')}.json`;
}

/**
 * Tries the mutants of one target.
 *
 * @param env given to the tests.
 * @throws when Stryker could not try them, as when a test fails without any mutant.
 */
export async function tryMutants(target: string, concurrency: number, env: NodeJS.ProcessEnv): Promise<void> {
  const report = reportPath(target);
  // Beside the report, so that runs of two files keep apart.
  const config = report.replace(/json$/, 'config.json');
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  writeFileSync(config, JSON.stringify(buildConfig(target, report, concurrency)));
  const program = resolve(tools, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const code = await run(process.execPath, [program, 'run', config], '.', 'inherit', env);
  if (code !== 0) throw new Error(`Stryker failed for ${target} (exit code ${code})`);
}

function buildConfig(target: string, report: string, concurrency: number): object {
  return {
    testRunner: 'mocha',
    plugins: [resolve(tools, 'node_modules/@stryker-mutator/mocha-runner/dist/src/index.js')],
    mutate: [target],
    // Not `testFiles`: mutants of what runs as a file is loaded would then run no test.
    mochaOptions: { 'no-config': true, spec: targets[withoutLines(target)] },
    testRunnerNodeArgs: ['--import', 'tsx'],
    coverageAnalysis: 'perTest',
    concurrency,
    // On a busy machine, what is slow is no mutant that never ends.
    timeoutMS: 20_000,
    tempDirName: `${home}/sandbox`,
    ignorePatterns: ['.local'],
    // There is nothing to rewrite in it, and TypeScript 7 cannot be imported for that.
    tsconfigFile: 'none.json',
    disableTypeChecks: false,
    reporters: ['json'],
    jsonReporter: { fileName: report },
    logLevel: 'warn',
    warnings: { slow: false },
    allowConsoleColors: false,
  };
}

function run(
  program: string,
  args: string[],
  cwd: string,
  output: 'ignore' | 'inherit',
  env: NodeJS.ProcessEnv = {},
): Promise<number> {
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', output, 'inherit'],
    // eslint-disable-next-line node/no-process-env -- the tools find their caches by it.
    env: { ...process.env, ...env },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
