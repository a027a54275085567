import { Connection } from '@temporalio/client';
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { readConfig } from '#startup/config.ts';

const hourMs = 3_600_000;
const retentionOfNewMs = 72 * hourMs;
/** A claim is kept for 24 h, and while it is, its closed run must be found. */
const leastRetentionMs = 24 * hourMs;

/** Temporal's `IndexedValueType`. */
const keyword = 2;

/** Set on every workflow: what an operator finds a charge by. */
const searchAttributes = {
  AccountId: keyword,
  ResourceId: keyword,
  ResourceStatus: keyword,
  Processor: keyword,
  WaitsFor: keyword,
};

/** gRPC status codes. */
const notFound = 5;
const alreadyExists = 6;

const permissionDenied = 7;
const unimplemented = 12;
const unauthenticated = 16;

const usableWithinMs = 30_000;

const hasCode = (error: unknown, code: number) => (error as { code?: number }).code === code;

/** Returns whether the same call would fail again. */
const isFinal = (error: unknown) =>
  [permissionDenied, unimplemented, unauthenticated].some((code) => hasCode(error, code));

/**
 * Ensures that the namespace exists, keeps closed runs long enough and has our search attributes. May be
 * called any number of times, also at once, against any Temporal service.
 */
export async function ensureNamespace(connection: Connection, namespace: string): Promise<void> {
  const retentionMs = await retention(connection, namespace);
  if (retentionMs === undefined) await register(connection, namespace);
  else if (retentionMs < leastRetentionMs) await prolong(connection, namespace);
  await untilUsable(connection, namespace);
}

/** Returns how long closed runs are kept. (ms; undefined: there is no such namespace) */
async function retention(connection: Connection, namespace: string): Promise<number | undefined> {
  try {
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    return tsToMs(config?.workflowExecutionRetentionTtl);
  } catch (error) {
    if (hasCode(error, notFound)) return undefined;
    throw error;
  }
}

async function register(connection: Connection, namespace: string): Promise<void> {
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs(retentionOfNewMs),
    });
  } catch (error) {
    if (!hasCode(error, alreadyExists)) throw error;
  }
}

async function prolong(connection: Connection, namespace: string): Promise<void> {
  await connection.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: msToTs(retentionOfNewMs) },
  });
}

/** Waits until the service uses them: it reads new namespaces and search attributes every few seconds only. */
async function untilUsable(connection: Connection, namespace: string): Promise<void> {
  const query = Object.keys(searchAttributes)
    .map((name) => `${name} = 'none'`)
    .join(' and ');
  const deadline = Date.now() + usableWithinMs;
  for (;;) {
    try {
      await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
      await connection.workflowService.listWorkflowExecutions({ namespace, query, pageSize: 1 });
      return;
    } catch (error) {
      if (isFinal(error) || Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

/** Runs as a program where there is no launcher. */
async function main(): Promise<void> {
  const { connection: to, namespace } = readConfig(process.env).temporal;
  const connection = await Connection.connect({ ...to, connectTimeout: '60 s' });
  await ensureNamespace(connection, namespace);
  await connection.close();
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
