import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Payments } from '#client/src/index.ts';
import { startStack, type Stack } from '#local/stack.ts';
import { installSchemathesis } from './schemathesis.ts';

/**
 * `npm run fuzz`: tries what `openapi.json` allows, and what it does not, against the whole stack. It fails on a 5xx,
 * on an answer that the document does not describe, and on what a caller should not have been let do. The same
 * seed tries the same; arguments go to schemathesis (`npm run fuzz -- --seed 2`).
 */

const log = (line: string) => console.log(line);

const program = await installSchemathesis(log);
const localDir = mkdtempSync(join(tmpdir(), 'payments-fuzz-'));
const stack = await startStack({
  localDir,
  env: {
    ...process.env,
    RATE_LIMIT_RPS: '100000',
    RATE_LIMIT_BURST: '100000',
    AUTH_FAILURES_PER_MINUTE: '100000',
    PUBLIC_PAGES_PER_SECOND: '100000',
    // A request whose outcome is late is answered soon: what is tried is its answer.
    SYNC_WINDOW_MS: '2000',
  },
  restart: false,
  log,
});
try {
  const client = new Payments({ baseUrl: stack.apiUrl, ...stack.secrets.demo });
  await populate(client);
  process.exitCode = await run(await writeDocument(client), stack, await client.accessToken());
} finally {
  await stack.stop();
  rmSync(localDir, { recursive: true, force: true });
}

/** Lists that hold something, so that their items are looked at. */
async function populate(client: Payments): Promise<void> {
  const money = { amount: 1999, currency: 'EUR' } as const;
  for (const payment_method of ['tok_visa', 'tok_async_silent']) {
    await client.charges.create({ ...money, payment_method, metadata: { order: '6735' } });
  }
  const charge = await client.charges.create({ ...money, payment_method: 'tok_amex' });
  await client.refunds.create({ charge: charge.id, amount: 1, reason: 'duplicate' });
  const customer = await client.customers.create({ name: 'Ada Lovelace' });
  await client.customers.attachPaymentMethod(customer.id, { token: 'tok_visa' });
}

/**
 * The document that is served, but for cursors: one that is made up is refused before anything else of a list is looked
 * at. `test/api/http/pagination.test.ts` makes them up. Nor can it disable clients or give them new secrets: the list of
 * clients leads to the one that asks.
 */
async function writeDocument(client: Payments): Promise<string> {
  const { body } = await client.request('GET', '/openapi.json');
  const isCursor = (value: unknown) => (value as { name?: unknown } | null)?.name === 'starting_after';
  const endsItself = /^\/v1\/clients\/\{id\}:(?:disable|rotate-secret)$/;
  const text = JSON.stringify(body, (name, value: unknown) =>
    endsItself.test(name)
      ? undefined
      : Array.isArray(value)
        ? value.filter((item) => !isCursor(item))
        : value,
  );
  const file = join(localDir, 'openapi.json');
  writeFileSync(file, text);
  return file;
}

/** @returns its exit code. */
function run(document: string, { apiUrl, secrets }: Stack, token: string): Promise<number> {
  const config = fileURLToPath(new URL('schemathesis.toml', import.meta.url));
  const given = process.argv.slice(2);
  const child = spawn(program, ['--config-file', config, 'run', document, '--url', apiUrl, ...given], {
    stdio: 'inherit',
    // Where it would leave files of its own.
    cwd: localDir,
    env: {
      ...process.env,
      FUZZ_TOKEN: token,
      FUZZ_CLIENT_ID: secrets.demo.clientId,
      FUZZ_CLIENT_SECRET: secrets.demo.clientSecret,
    },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
