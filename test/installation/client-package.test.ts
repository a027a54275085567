import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';
import { startFaultServer, type FaultServer } from '../client/faults/server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A program as a newcomer writes it, and some that must not compile. */
const consumer = `
import { CardDeclinedError, Payments, type Charge } from 'payments-client';

const client = new Payments({ baseUrl: 'URL', clientId: 'cl_1', clientSecret: 'secret' });
const charge: Charge = await client.charges.create({ amount: 1999, currency: 'EUR', payment_method: 'tok_visa' });
console.log(charge.object);
try {
  await client.charges.create({ amount: 1999, currency: 'EUR' });
} catch (error) {
  if (error instanceof CardDeclinedError) console.log(error.declineCode);
}
const { headers } = await client.charges.get(charge.id).answer().catch(() => ({ headers: null }));
const tag: string | null | undefined = headers?.etag;
for await (const { amount } of client.charges.list({ status: 'failed', limit: 1 })) console.log(amount.toFixed(), tag);

export const never = () => [
  // @ts-expect-error There is no such currency.
  client.charges.create({ amount: 1, currency: 'EURO' }),
  // @ts-expect-error An amount is a number.
  client.charges.create({ amount: '1', currency: 'EUR' }),
];
`;

describe('The package of the client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'payments-client-'));
  let server: FaultServer;
  let archive: string;

  before(async () => {
    server = await startFaultServer();
    runNpm(join(root, 'client'), 'pack', '--pack-destination', folder);
    archive = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
    runNpm(folder, 'install', '--prefer-offline', '--no-audit', '--no-fund', archive);
  });
  after(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is small, and stays within its stated size', async () => {
    assert.ok(statSync(archive).size < 175_000, `${statSync(archive).size} bytes packed`);
    const [output] = (await bundle(folder)).outputFiles;
    const size = gzipSync(output!.contents).length;
    assert.ok(size < 14_000, `${size} bytes, minified and compressed, with what it needs`);
  });

  it('runs in browsers: nothing of it needs Node', async () => {
    const { outputFiles, warnings } = await bundle(folder);
    assert.deepEqual(warnings, []);
    assert.doesNotMatch(outputFiles[0]!.text, /node:|\brequire\(/);
  });

  it('compiles in an empty project without types of Node', () => {
    writeFileSync(join(folder, 'consumer.ts'), consumer);
    writeFileSync(join(folder, 'readme.ts'), readExamples());
    // That of the client's own toolchain, which most projects have today.
    const compiler = createRequire(join(root, 'client/package.json')).resolve('typescript/lib/tsc.js');
    const lib = ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'];
    const compilerOptions = {
      strict: true,
      module: 'nodenext',
      target: 'es2022',
      lib,
      types: [],
      noEmit: true,
    };
    const files = ['consumer.ts', 'readme.ts'];
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const { status, stdout } = spawnSync(process.execPath, [compiler], { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  });

  it('takes a payment and tells a decline from there', async () => {
    server.play(
      { status: 201, example: 'createCharge' },
      { status: 402, problem: 'card_declined', with: { decline_code: 'lost_card' } },
      { status: 404, problem: 'not_found' },
      { status: 200, example: 'listCharges', with: { has_more: false } },
    );
    const program = join(folder, 'consumer.js');
    const { code } = await transform(consumer.replace('URL', server.url), { loader: 'ts' });
    writeFileSync(program, code);
    const output = await run(program);
    assert.deepEqual(output.split('\n'), ['charge', 'lost_card', '1999 undefined', '']);
  });

  it('brings the command', async () => {
    assert.match(await run(join(folder, 'node_modules/.bin/payments'), '--help'), /charges/);
  });
});

/** The examples of the package's own page, one after another, with what they take from around them. */
function readExamples(): string {
  const page = readFileSync(join(root, 'client/README.md'), 'utf8');
  const examples = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code);
  assert.ok(examples.length >= 4);
  const around = [
    'declare const rawBody: string;',
    'declare const request: { headers: Record<string, string> };',
    'declare const process: {',
    '  env: Record<string, string | undefined>;',
    '  stdout: { write(chunk: Uint8Array): void };',
    '};',
  ];
  return [...examples, ...around].join('\n');
}

/** As a web page would have it. */
function bundle(folder: string) {
  return build({
    stdin: { contents: `export * from 'payments-client';`, resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
}

function runNpm(cwd: string, ...args: string[]): void {
  const npm = process.env['npm_execpath'];
  const [program, all] = npm ? [process.execPath, [npm, ...args]] : ['npm', args];
  const { status, stderr } = spawnSync(program, all, { cwd, encoding: 'utf8', timeout: 120_000 });
  assert.equal(status, 0, `npm ${args.join(' ')}: ${stderr}`);
}

/** Returns what a program writes; the server beside it goes on answering. */
async function run(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { timeout: 30_000 });
  return stdout;
}
