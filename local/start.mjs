/*
 * The entry of every npm script, in plain JavaScript without dependencies: installs what is missing, and then
 * runs the program asked for in this same process, so that signals and exit codes are its own.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A program without a `help` here prints its own. */
const programs = {
  up: { entry: 'local/up.ts' },
  admin: { entry: 'admin/main.ts' },
  reconcile: { entry: 'admin/reconcile.ts' },
  migrate: {
    entry: 'admin/migrate.ts',
    help: `npm run migrate

Brings the database of DATABASE_URL to the schema of this release, and ends. The release before may serve meanwhile.`,
  },
  audit: {
    entry: 'local/audit.ts',
    help: `npm run audit

Asks the registry whether a package that runs in production has a known hole of high or critical severity. Exits with 1
if one has, and with 2 if the registry gives no answer.`,
  },
  release: { entry: 'local/release.ts' },
  openapi: {
    entry: 'api/write-openapi.ts',
    development: true,
    help: `npm run openapi

Writes openapi.json and openapi-service.json from the routes, and from them the types of the TypeScript client and the
resources of all clients.`,
  },
  client: { entry: 'client/write-resources.ts', development: true },
  fuzz: {
    entry: 'test/fuzz/main.ts',
    development: true,
    help: `npm run fuzz [-- --seed N]

Sends what openapi.json allows, and what it does not, to a whole stack of its own, for about a minute. Fails on a 5xx, on
an answer that the document does not describe, and on what a caller should not have been let do. The same seed tries
the same. Other arguments go to schemathesis.`,
  },
  bench: { entry: 'bench/main.ts', development: true },
  chaos: { entry: 'test/chaos/main.ts', development: true },
  simulate: { entry: 'test/simulation/main.ts', development: true },
  clients: {
    entry: 'test/client/languages/main.ts',
    development: true,
    help: `npm run clients [-- python|go|java …] [--write]

Generates, builds and tests the clients of the other languages, and makes a charge with each against a stack of its own.
A language whose programs are not here is skipped, and that is said; with CLIENTS_MUST_RUN=1 it is a failure.

  --write  replaces the committed files by what openapi.json gives`,
  },
  conformance: {
    entry: 'test/conformance/main.ts',
    development: true,
    help: `npm run conformance -- --processor sandbox|stripe [--grep TEXT] [--mutants]

Tries on a processor what its adapter must promise, and prints one table. Exits with 1 if a promise is broken.

  --grep     only the cases whose name has this text
  --mutants  for stripe: then plants faults into the adapter, and fails unless each fails exactly the cases that name it`,
  },
  test: {
    entry: 'test/run.ts',
    development: true,
    help: `npm test [-- --quick|--installation] [--lanes N] [--times] [FILE …]

Runs the specification against real parts, each lane with a stack of its own.

  --quick         the files that cost the least, in about 75 seconds
  --installation  the files of test/installation: how the product is installed, built and packed
  --lanes         how many processes run side by side (default: two more than cores, 5 at most)
  --times         lists what each file costs, in seconds and in those of CPU, and records it in test/times.json
  FILE …          only these files, in one process; with --lanes or --times in lanes

Other options go to mocha: npm test -- FILE -g TITLE`,
  },
  'record-histories': {
    entry: 'test/support/resources/record-histories.ts',
    development: true,
    help: `npm run record-histories [-- WORKFLOW[/PATH] …]

Takes every path of the workflows (or those named) against a stack of its own, and keeps the history of each in
test/histories, for test/workflows/replay.test.ts.`,
  },
  mutation: { entry: 'test/mutation/main.ts', development: true },
  upgrade: { entry: 'test/releases/main.ts', development: true },
};

/** One line, and no more. */
function fail(line, code = 1) {
  process.stderr.write(`${line}\n`);
  process.exit(code);
}

const readJson = (path) => JSON.parse(readFileSync(`${root}/${path}`, 'utf8'));

function requireNode() {
  const [major, minor] = readJson('package.json').engines.node.match(/\d+/g).map(Number);
  const [haveMajor, haveMinor] = process.versions.node.split('.').map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  fail(`This needs Node ${major}.${minor} or later, and ${process.execPath} is ${process.versions.node}`);
}

/** Says whether node_modules holds what the lock file asks for, by the list that npm keeps in it. */
function isInstalled(development) {
  if (!existsSync(`${root}/node_modules/.package-lock.json`)) return false;
  const wanted = readJson('package-lock.json').packages;
  const present = readJson('node_modules/.package-lock.json').packages;
  return Object.entries(wanted).every(([path, { version, dev, optional, devOptional }]) => {
    if (path === '' || (dev && !development)) return true;
    // Other platforms' packages are not installed.
    if (!present[path]) return optional || devOptional;
    return present[path].version === version;
  });
}

/** Installs the packages. A new clone that only starts the service needs none of development, and no compiled client. */
async function install(development) {
  const isFirst = !existsSync(`${root}/node_modules`);
  const omit = isFirst && !development ? ['--omit=dev'] : [];
  const began = Date.now();
  const say = () =>
    process.stdout.write(`Installing packages … ${Math.round((Date.now() - began) / 1000)} s\n`);
  say();
  const timer = setInterval(say, 5000);
  // Under npm its own program is known, whatever the PATH says.
  const npm = process.env.npm_execpath;
  const [program, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  const code = await new Promise((resolve) => {
    const child = spawn(program, [...args, 'ci', '--no-audit', '--no-fund', ...omit], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', () => resolve(127));
    child.once('exit', resolve);
  });
  clearInterval(timer);
  if (code === 127) fail('npm cannot be run: install it, or run `npm ci` yourself');
  if (code !== 0) fail(`npm ci failed (exit code ${code}); mend what it says above, and start again`);
}

async function run(entry, args) {
  const file = `${root}${entry}`;
  if (!existsSync(file)) fail(`There is no ${entry} here`);
  process.chdir(root);
  process.argv = [process.execPath, file, ...args];
  await import('tsx');
  await import(pathToFileURL(file).href);
}

const [name, ...args] = process.argv.slice(2);
const program = programs[name];
if (!program) fail(`Usage: node local/start.mjs ${Object.keys(programs).join('|')} [arguments]`, 2);
requireNode();
if (program.help && args.includes('--help')) {
  process.stdout.write(`${program.help}\n`);
  process.exit(0);
}
const development = program.development ?? false;
if (!isInstalled(development)) await install(development);
await run(program.entry, args);
// Node 20 can spin for ever at its own end, if a connection was being made then. Tests end by themselves.
if (development && name !== 'test') process.exit();
