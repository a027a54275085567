import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { workflowId } from '#temporal/client/ids.ts';
import type { Part } from '#local/stack.ts';
import { workflowBundle } from '#worker/bundle.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { leaveChargesToWorkers } from '../../support/stack/stages.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('Two releases side by side', () => {
  let env: Environment;
  let merchant: Merchant;
  /** Where the next release's worker keeps its bundle. */
  let folder: string;
  let next: Part;
  /** Gives up waiting sooner than callers do. */
  let api: { part: Part; url: string };
  leaveChargesToWorkers();
  before(async function () {
    this.timeout(120_000);
    env = await environment();
    merchant = await createMerchant();
    folder = mkdtempSync(join(tmpdir(), 'payments-next-'));
    await placeNextBundle(folder);
    next = await env.stack.addWorker({
      LOCAL_DIR: folder,
      BLOB_DIR: env.stack.env['BLOB_DIR'] ?? join(env.stack.localDir, 'blobs'),
    });
    api = await env.stack.addApi({ SYNC_WINDOW_MS: '2000' });
  });
  after(async () => {
    await Promise.all([next.stop(), api.part.stop()]);
    rmSync(folder, { recursive: true });
  });

  const isNext = async (key: string) => {
    const run = env.temporal.workflow.getHandle(workflowId('charge', merchant.accountId, key));
    return (await run.describe()).memo?.['release'] === 'next';
  };
  const begin = async () => {
    const key = randomUUID();
    const { status, body } = await merchant.charge({ capture_method: 'manual' }, { key });
    assert.equal(status, 201);
    return { key, id: body.id, isNext: await isNext(key) };
  };
  const capture = (id: string, key = randomUUID(), url = env.stack.apiUrl) =>
    merchant.send('POST', `/v1/charges/${id}:capture`, {}, { key, url });
  const assertCaptured = async (id: string, status: number) => {
    assert.equal(status, 200);
    const captures = (await env.books(id)).filter(({ kind }) => kind === 'capture');
    assert.equal(captures.length, 1);
  };
  /** Charges until one was begun by each release. */
  const beginOnBoth = async () => {
    const begun: Awaited<ReturnType<typeof begin>>[] = [];
    await eventually(
      'each release begins a charge',
      async () => {
        begun.push(await begin());
        return new Set(begun.map((charge) => charge.isNext)).size === 2;
      },
      30_000,
    );
    return begun;
  };

  it('finish what either of them began', async function () {
    this.timeout(60_000);
    for (const { id } of await beginOnBoth()) {
      const { status, body } = await capture(id);
      assert.equal(body.status, 'succeeded');
      await assertCaptured(id, status);
    }
  });

  it('pass the old one’s work to the new one', async function () {
    this.timeout(90_000);
    const begun = await beginOnBoth();
    await env.stack.part('worker').stop();
    try {
      for (const { id } of begun) await assertCaptured(id, (await capture(id)).status);
    } finally {
      await env.stack.part('worker').start();
    }
  });

  it('keep the new one’s runs until it returns', async function () {
    this.timeout(120_000);
    const { id } = (await beginOnBoth()).find((charge) => charge.isNext)!;
    const key = randomUUID();
    await next.kill();
    try {
      const early = await capture(id, key, api.url);
      // As when no worker runs at all: nothing has happened, or nothing is known yet.
      assert.ok([409, 503, 504].includes(early.status), `${early.status} ${early.text}`);
      assert.deepEqual(
        (await env.books(id)).filter(({ kind }) => kind === 'capture'),
        [],
      );
    } finally {
      await next.restart();
    }
    const { status } = await eventually(
      'the capture is answered',
      async () => {
        const answer = await capture(id, key);
        return answer.status === 200 && answer;
      },
      90_000,
    );
    await assertCaptured(id, status);
  });
});

describe('A migration that expands the schema', () => {
  /** All that statements of the hot path name. */
  const tables = [
    'accounts',
    'charges',
    'customers',
    'events',
    'idempotency_keys',
    'payment_methods',
    'refunds',
  ];

  it('does not disturb processes of the previous release', async function () {
    this.timeout(60_000);
    const env = await environment();
    const merchant = await createMerchant();
    const use = async () => {
      const { status, body } = await merchant.charge({ capture_method: 'manual' });
      const captured = await merchant.send('POST', `/v1/charges/${body.id}:capture`);
      const refunded = await merchant.send('POST', `/v1/charges/${body.id}/refunds`, {});
      const reads = await Promise.all(
        ['charges', 'refunds', 'events'].map((list) => merchant.get(`/v1/${list}`)),
      );
      return [status, captured.status, refunded.status, ...reads.map((read) => read.status)];
    };
    const alter = async (change: (table: string) => string) => {
      for (const table of tables) {
        await env.db.transaction(async (trx) => {
          await trx.raw(`set local lock_timeout = '2s'`);
          await trx.raw(`alter table ${table} ${change(table)}`);
        });
      }
    };
    // Often enough that every connection of every pool holds its plans.
    for (let round = 0; round < 3; round++) await Promise.all([use(), use(), use(), use()]);
    await alter(() => 'add column of_the_next_release text');
    try {
      for (const statuses of await Promise.all([use(), use(), use(), use()]))
        assert.deepEqual(statuses, [201, 200, 201, 200, 200, 200]);
    } finally {
      await alter(() => 'drop column of_the_next_release');
    }
    assert.deepEqual(await use(), [201, 200, 201, 200, 200, 200]);
  });
});

/** A worker bundles the sources it finds; here it finds a bundle that was made of others. */
async function placeNextBundle(localDir: string): Promise<void> {
  const { codePath } = await workflowBundle(localDir);
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(root, 'test/workflows/next-workflows.ts'),
    workflowInterceptorModules: [join(root, 'workflows/interceptors.ts')],
    logger: new DefaultLogger('WARN'),
  });
  writeFileSync(codePath, code);
}
