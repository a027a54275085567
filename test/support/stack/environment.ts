import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { readConfig } from '#startup/config.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import type { Movement } from '#domain/reconciliation.ts';
import { startStack, type Stack } from '#local/stack.ts';
import { atEnd } from './at-end.ts';
import { doubleUp } from '../resources/pairs.ts';
import { placeBundle } from '../bundle.ts';
import { startPooledDatabase, wantedPoolMode } from './databases/pooler.ts';

/** One movement of money in the processor's books. */
export interface BookEntry {
  kind: Movement['kind'];
  key: string;
  charge_key: string;
  amount: number;
  statement_descriptor?: string;
}

/** The real stack, shared by all tests of a run: what they change they put back. */
export interface Environment {
  stack: Stack;
  db: Database;
  temporal: Client;
  /** The processor's own record of the money that moved under a key of ours, oldest first. */
  books(key: string): Promise<BookEntry[]>;
  /** All of it, whosever key it is. */
  allBooks(): Promise<BookEntry[]>;
  /** Has the processor misbehave; {@link clearFaults} ends it. */
  stageFault(fault: Fault): Promise<void>;
  clearFaults(): Promise<void>;
}

export interface Fault {
  route?: 'charges' | 'captures' | 'voids' | 'refunds' | 'refund-reversals' | 'lookups';
  key?: string;
  /** `pending`: of refunds only; the outcome comes later. */
  mode: 'unavailable' | 'timeout' | 'garbage' | 'reset' | 'slow' | 'pending' | 'wrong_amount' | 'forgotten';
  /** Before or after the money moves. */
  when: 'before' | 'after';
  times: number;
  delay_ms?: number;
  /** For `wrong_amount`, which comes after: what the answer says was captured. */
  amount_captured?: number;
}

let shared: Promise<Environment> | null = null;

/** Returns the environment of this process. The first call starts it; it stops after the last test. */
export function environment(): Promise<Environment> {
  shared ??= start();
  return shared;
}

/** Returns `null` if no test asked for the environment, or if it did not start. */
export async function runningEnvironment(): Promise<Environment | null> {
  return (await shared?.catch(() => null)) ?? null;
}

async function start(): Promise<Environment> {
  const localDir = mkdtempSync(join(tmpdir(), 'payments-test-'));
  await placeBundle(localDir);
  const poolMode = wantedPoolMode();
  const pooled = poolMode && (await startPooledDatabase(join(localDir, 'pooled'), poolMode));
  const stack = await startStack({
    localDir,
    env: {
      ...process.env,
      ...(pooled && { DATABASE_URL: pooled.url }),
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
      RATE_LIMIT_RPS: '100000',
      RATE_LIMIT_BURST: '100000',
      AUTH_FAILURES_PER_MINUTE: '100000',
      PUBLIC_PAGES_PER_SECOND: '100000',
      // Tests crowd a small machine on purpose, and want true answers.
      MAX_READS_IN_FLIGHT: '10000',
      MAX_WRITES_IN_FLIGHT: '100000',
      MAX_CONNECTIONS_PER_ADDRESS: '10000',
      LIST_READ_MS: '14000',
    },
    isDurable: false,
    restart: false,
    log: (line) => console.log(`    ${line}`),
  });
  const environment = await connectTo(stack);
  const endPairs = process.env['TEST_IN_PAIRS']
    ? await doubleUp(stack, environment.temporal)
    : () => Promise.resolve();
  atEnd(async () => {
    try {
      await endPairs();
    } finally {
      await environment.stop();
      await stack.stop();
      await pooled?.stop();
    }
    if (process.env['KEEP_TEST_DIR']) console.log(`    kept ${localDir}`);
    else rmSync(localDir, { recursive: true, force: true });
  });
  return environment;
}

/** What a test needs beside a stack that runs. `stop` closes its own connections only. */
export async function connectTo(stack: Stack): Promise<Environment & { stop(): Promise<void> }> {
  const db = createDatabase(stack.databaseUrl, 10);
  // A pool that lost its server in a crash test finds it again at the next query.
  const connection = await Connection.connect(readConfig(stack.env).temporal.connection);
  const temporal = new Client({ connection, namespace: stack.temporalNamespace });
  return {
    stack,
    db,
    temporal,
    async books(key) {
      const { data } = (await callProcessor(stack, 'GET', `/books?key=${encodeURIComponent(key)}`)) as {
        data: BookEntry[];
      };
      return data.map(inOwnTerms);
    },
    allBooks: () => readAllBooks(stack),
    async stageFault(fault) {
      // At Stripe, a 503 does not say that nothing happened; a 429 does.
      const isRefused = stack.usesStripe && fault.mode === 'unavailable';
      await callProcessor(stack, 'POST', '/faults', isRefused ? { ...fault, mode: 'rate_limited' } : fault);
    },
    async clearFaults() {
      await callProcessor(stack, 'DELETE', '/faults');
    },
    async stop() {
      await db.destroy();
      await connection.close();
    },
  };
}

/** At Stripe, what was taken is voided by a refund of the rest; its key says so. */
function inOwnTerms(entry: BookEntry): BookEntry {
  const isVoid = entry.kind === 'refund' && entry.key === `${entry.charge_key}:void`;
  return isVoid ? { ...entry, kind: 'void', key: entry.charge_key } : entry;
}

async function readAllBooks(stack: Stack): Promise<BookEntry[]> {
  const entries: BookEntry[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page = (await callProcessor(stack, 'GET', `/books?dialect=all&after=${after}&limit=10000`)) as {
      data: BookEntry[];
      next_after: number | null;
    };
    entries.push(...page.data.map(inOwnTerms));
    after = page.next_after;
  }
  return entries;
}

/** Calls the sandbox in its own dialect. */
export async function callProcessor(
  stack: Stack,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const answer = await fetch(stack.processorUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${stack.secrets.processorSecret}`,
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`processor ${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}
