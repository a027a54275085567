import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js';
import { ensureNamespace } from '#local/temporal/namespace.ts';
import { freePort } from '#local/processes/ports.ts';
import { findTemporal, startTemporal } from '#local/temporal/temporal.ts';
import type { Temporal } from '#local/temporal/temporal.ts';
import { newFolder } from './launcher.ts';

const hourMs = 3_600_000;

describe('the Temporal namespace', () => {
  let folder: string;
  let server: Temporal;
  let connection: Connection;

  const retentionMs = async (namespace: string) => {
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    return tsToMs(config?.workflowExecutionRetentionTtl);
  };
  const attributes = async (namespace: string) => {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return Object.keys(customAttributes ?? {})
      .filter((name) => /^(Account|Resource|Processor|WaitsFor)/.test(name))
      .toSorted();
  };
  const start = async () => {
    server = await startTemporal({
      binary: await findTemporal(() => {}),
      dbFile: join(folder, 'temporal.db'),
      port: await freePort(),
      uiPort: await freePort(),
      namespace: 'first',
      logFile: join(folder, 'temporal.log'),
    });
    connection = await Connection.connect({ address: server.address });
  };

  before(() => {
    folder = newFolder();
    return start();
  });
  after(async () => {
    await connection.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('exists with its search attributes once the server runs', async () => {
    assert.deepEqual(await attributes('first'), [
      'AccountId',
      'Processor',
      'ResourceId',
      'ResourceStatus',
      'WaitsFor',
    ]);
    assert.ok((await retentionMs('first')) >= 24 * hourMs);
  });

  it('is made when missing, even by two at once', async () => {
    await Promise.all([ensureNamespace(connection, 'second'), ensureNamespace(connection, 'second')]);
    assert.equal(await retentionMs('second'), 72 * hourMs);
    assert.deepEqual(await attributes('second'), [
      'AccountId',
      'Processor',
      'ResourceId',
      'ResourceStatus',
      'WaitsFor',
    ]);
  });

  it('keeps closed runs for a day at least', async () => {
    const workflowExecutionRetentionPeriod = msToTs(hourMs);
    await connection.workflowService.registerNamespace({
      namespace: 'short',
      workflowExecutionRetentionPeriod,
    });
    await ensureNamespace(connection, 'short');
    assert.equal(await retentionMs('short'), 72 * hourMs);
  });

  it('is there again after the server was killed', async () => {
    await connection.close();
    process.kill(server.pid, 'SIGKILL');
    await server.exited;
    await start();
    assert.equal(await retentionMs('second'), 72 * hourMs);
  });
});
