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
import { startChargingApi, type ChargingApi } from '../../support/stack/charging-api.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('Two releases side by side', () => {
  let env: Environment;
  let merchant: Merchant;
  /** Where the next release keeps its bundle. */
  let folder: string;
  let next: { worker: Part; api: ChargingApi };
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
    folder = mkdtempSync(join(tmpdir(), 'payments-next-'));
    await placeNextBundle(folder);
    const settings = {
      LOCAL_DIR: folder,
      BLOB_DIR: env.stack.env['BLOB_DIR'] ?? join(env.stack.localDir, 'blobs'),
    };
    const worker = await env.stack.addWorker(settings);
    next = { worker, api: await startChargingApi(env, 'eager', settings) };
  });
  const ofOld = () => [env.stack.part('worker'), env.stack.part('api')];
  const ofNext = () => [next.worker, next.api.part];
  after(async () => {
    await Promise.all(ofNext().map((part) => part.stop()));
    rmSync(folder, { recursive: true });
  });

  const isNext = async (key: string) => {
    const run = env.temporal.workflow.getHandle(workflowId('charge', merchant.accountId, key));
    return (await run.describe()).memo?.['release'] === 'next';
  };
  const begin = async (url: string) => {
    const key = randomUUID();
    const { status, body } = await merchant.charge({ capture_method: 'manual' }, { key, url });
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
    await eventually('each release begins a charge', async () => {
      for (const url of [env.stack.apiUrl, next.api.url]) begun.push(await begin(url));
      return new Set(begun.map((charge) => charge.isNext)).size === 2;
    });
    return begun;
  };

  it('finish what either of them began', async () => {
    for (const charge of await beginOnBoth()) {
      const { id } = charge;
      const other = charge.isNext ? env.stack.apiUrl : next.api.url;
      const { status, body } = await capture(id, randomUUID(), other);
      assert.equal(body.status, 'succeeded');
      await assertCaptured(id, status);
    }
  });

  it('pass the old one’s work to the new one', async () => {
    const begun = await beginOnBoth();
    await Promise.all(ofOld().map((part) => part.stop()));
    try {
      for (const { id } of begun)
        await assertCaptured(id, (await capture(id, randomUUID(), next.api.url)).status);
    } finally {
      await Promise.all(ofOld().map((part) => part.start()));
    }
  });

  it('keep the new one’s runs until it returns', async () => {
    const { id } = (await beginOnBoth()).find((charge) => charge.isNext)!;
    const key = randomUUID();
    await Promise.all(ofNext().map((part) => part.kill()));
    try {
      const early = await capture(id, key);
      // As when nobody runs charges at all: nothing has happened, or nothing is known yet.
      assert.ok([409, 503, 504].includes(early.status), `${early.status} ${early.text}`);
      assert.deepEqual(
        (await env.books(id)).filter(({ kind }) => kind === 'capture'),
        [],
      );
    } finally {
      await Promise.all(ofNext().map((part) => part.restart()));
    }
    const { status } = await eventually('the capture is answered', async () => {
      const answer = await capture(id, key);
      return answer.status === 200 && answer;
    });
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

  it('does not disturb processes of the previous release', async () => {
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
