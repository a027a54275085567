import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inPairs } from '../../support/resources/pairs.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** What a merchant sees of what moves money or takes time; none of these files stops a process of its own. */
const specification = [
  'test/api/payments/charges.test.ts',
  'test/api/payments/refunds.test.ts',
  'test/api/payments/payment-methods.test.ts',
  'test/api/payments/customers.test.ts',
  'test/api/operations/exports.test.ts',
  'test/api/webhooks/webhook-deliveries.test.ts',
  'test/flows/idempotency.test.ts',
];

describe('Two APIs and two workers behind one address', () => {
  it('pass the same specification as one', async function () {
    this.timeout(900_000);
    const { code, output } = await runTests(specification);
    assert.equal(code, 0, output);
    assert.match(output, /[1-9]\d* passed, 0 failed|[1-9]\d* passing/);
    assert.doesNotMatch(output, /failing/);
  });
});

/** In a process and on a stack of its own. */
function runTests(files: string[]): Promise<{ code: number | null; output: string }> {
  const args = ['--no-config', '--import=tsx', '--timeout', '90000', '--reporter', 'dot'];
  const child = spawn(
    process.execPath,
    ['node_modules/mocha/bin/mocha.js', ...args, '--require', 'test/support/hooks.ts', ...files],
    { cwd: root, env: { ...process.env, ...inPairs }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
