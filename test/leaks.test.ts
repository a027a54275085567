import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { environment } from './support/stack/environment.ts';
import { eventually } from './support/eventually.ts';
import { leaksIn, leaksInHistories, leaksInLogs, rememberSecret } from './support/stack/leaks.ts';

/** After all tests `hooks.ts` looks through the run's logs and histories; here it is shown to find what it looks for. */
describe('The search for secrets after a run', () => {
  const random = (length: number) => randomBytes(length).toString('base64url');
  const jwt = `eyJ${random(20)}.eyJ${random(60)}.${random(64)}`;
  const clientSecret = random(32);
  const planted: [what: string, text: string][] = [
    ['a bearer token', `{"msg":"request","token":"${jwt}"}`],
    ['a refresh token', `rt_${random(32)}`],
    ["a webhook's secret", `whsec_${randomBytes(24).toString('base64')}`],
    ['a credential', `authorization: Bearer ${random(32)}`],
    ['a secret that was handed out', `the secret ${clientSecret} is wrong`],
    ['a card number', '{"detail":"4242 4242 4242 4242"}'],
  ];
  before(() => rememberSecret(clientSecret));

  for (const [what, text] of planted) {
    it(`finds ${what} between other lines`, () =>
      assert.deepEqual(leaksIn(`one line\n${text}\nanother`), [what]));
  }

  it('finds nothing in what may be written', () => {
    const id = `${randomUUID()} ch_01JABCDEFGHJKMNPQRSTVWXYZ0 ${'a'.repeat(32)}`;
    assert.deepEqual(
      leaksIn(`{"time":1763726400000,"account":"acct_01J","trace_id":"${id}","ms":4242.4}`),
      [],
    );
  });

  it('finds a token in a log file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'payments-leaks-'));
    try {
      writeFileSync(join(folder, 'api.log'), `{"token":"${jwt}"}\n`);
      assert.deepEqual(leaksInLogs(folder), ['a bearer token in the log api.log']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('finds a card number in a workflow history', async () => {
    const { temporal } = await environment();
    // Not where the service's own are: those are looked through in earnest.
    const elsewhere = new Client({ connection: temporal.connection, namespace: 'default' });
    const run = await elsewhere.workflow.start('nobody-runs-it', {
      workflowId: randomUUID(),
      taskQueue: 'nobody-serves-it',
      args: [{ card: '4242424242424242' }],
    });
    try {
      await eventually('it is listed', async () => {
        const found = await leaksInHistories(elsewhere);
        return found.includes('a card number in a history of nobody-runs-it');
      });
    } finally {
      await run.terminate();
    }
  });
});
