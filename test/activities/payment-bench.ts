import { randomBytes, randomUUID } from 'node:crypto';
import { createPaymentActivities } from '#activities/index.ts';
import { insertAccount } from '#db/access/accounts.ts';
import type { SecretsKeys } from '#db/encryption.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { findClaim, findOrCreateClaim, type StoredAnswer } from '#db/writes/idempotency-keys.ts';
import type { NewCharge } from '#domain/charges.ts';
import type { NewTimelineEntry } from '#domain/timeline.ts';
import type { PaymentProcessor } from '#processor/port.ts';
import { sandboxCapabilities } from '#processor/sandbox/adapter.ts';
import { fixedProcessor } from '../support/resources/fixed-processor.ts';
import { sampleCharge } from '../support/resources/sample-charge.ts';
import { createTestDatabase } from '../support/stack/app.ts';
import { atEnd } from '../support/stack/at-end.ts';

/** Returns a time that is over by each clock: the process follows that of Postgres, and may be some milliseconds off. */
export const justPast = () => new Date(Date.now() - 1_000);

/**
 * The steps of payments in this process, on a database of its own and with a processor that answers as the test says:
 * for what each step reads, sends and saves. Workflows and the API have no part in it.
 */

export const secretsKey: SecretsKeys = [{ id: '', key: randomBytes(32) }];

export interface Bench {
  db: Database;
  accountId: string;
}

let shared: Promise<Database> | null = null;

/** Returns an account of its own, in a database that the files of this process share. */
export async function openBench(): Promise<Bench> {
  shared ??= openDatabase();
  const bench = { db: await shared, accountId: newId('account') };
  await insertAccount(bench.db, { id: bench.accountId, name: 'A merchant of the tests' });
  return bench;
}

async function openDatabase(): Promise<Database> {
  const database = await createTestDatabase();
  const db = createDatabase(database.url, 10);
  atEnd(async () => {
    await db.destroy();
    await database.drop();
  });
  return db;
}

/** A claim on a resource that has not begun. */
export async function claim(
  { db, accountId }: Bench,
  { resourceId, endpoint, request }: { resourceId: string; endpoint: string; request: object },
  startWithinMs = 60_000,
): Promise<string> {
  const claimId = newId('claim');
  await findOrCreateClaim(db, {
    claimId,
    accountId,
    endpoint,
    key: randomUUID(),
    fingerprint: randomBytes(32),
    request,
    resourceId,
    apiVersion: '2026-11-01',
    path: endpoint.split(' ')[1] ?? '',
    traceId: '0'.repeat(32),
    startWithinMs,
  });
  return claimId;
}

/** A charge of 10.00 that is claimed and has not begun, as its run is given it. */
export async function claimCharge(bench: Bench, change: Partial<NewCharge> = {}, startWithinMs?: number) {
  const chargeId = newId('charge');
  const request = { ...sampleCharge, amount: 1000, customerId: null, paymentMethod: 'tok_visa', ...change };
  const claimId = await claim(
    bench,
    { resourceId: chargeId, endpoint: 'POST /v1/charges', request },
    startWithinMs,
  );
  return {
    accountId: bench.accountId,
    chargeId,
    claimId,
    respondAsync: false,
    durations: { authorizationTtlMs: 60_000, unknownTimeoutMs: 60_000, pendingTimeoutMs: 60_000 },
    workflowId: `charge/${bench.accountId}/${chargeId}`,
    request,
  };
}

/** The steps, and what they did outside of the database. */
export interface Steps {
  steps: ReturnType<typeof createPaymentActivities>;
  deps: Parameters<typeof createPaymentActivities>[0];
  /** `authorize ch_…`: each call to the processor and its key, with the amount where it is not all. */
  calls: string[];
  /** The status of each answer that a waiting caller was handed, by claim. */
  told: [claimId: string, status: number, body: string][];
}

/** What a processor answers to each call. A call without an answer fails the step. */
export type Answers = Partial<Record<keyof PaymentProcessor, unknown>>;

type Request = { key?: string; amount?: number; attempt?: number; charge?: { key: string } };

/** @param answers a value, or a function that gives one or rejects. */
export function openSteps({ db }: Bench, answers: Answers = {}, isPublic = true): Steps {
  const calls: string[] = [];
  const told: Steps['told'] = [];
  const call = (name: keyof PaymentProcessor) => async (request: Request) => {
    const { key = request.charge?.key, amount, attempt = 1 } = request;
    const told = [name, key, amount, attempt > 1 && `attempt ${attempt}`];
    calls.push(told.filter((part) => part !== undefined && part !== false).join(' '));
    if (!(name in answers)) throw new Error(`${name} is not to be called`);
    const answer = answers[name];
    return typeof answer === 'function' ? (answer as (request: Request) => unknown)(request) : answer;
  };
  const names = [
    'authorize',
    'capture',
    'void',
    'findCharge',
    'findCapture',
    'refund',
    'reverseRefund',
    'findRefund',
  ] as const;
  const processor = {
    capabilities: sandboxCapabilities,
    ...Object.fromEntries(names.map((name) => [name, call(name)])),
    ...('capabilities' in answers && { capabilities: answers.capabilities }),
  } as unknown as PaymentProcessor;
  const onAnswered = (claimId: string, { status, body }: StoredAnswer) =>
    void told.push([claimId, status, body.toString()]);
  const deps = {
    db,
    processors: fixedProcessor(processor),
    publicUrl: 'http://localhost',
    secretsKey,
    onAnswered: isPublic ? onAnswered : undefined,
  };
  return { steps: createPaymentActivities(deps), deps, calls, told };
}

/** Returns the answer of a claim: its status, and the code of a problem; `null` while it has none. */
export async function readAnswer({ db }: Bench, claimId: string): Promise<string | null> {
  const answer = (await findClaim(db, claimId))?.answer;
  if (!answer) return null;
  if (answer.isEncrypted) return `${answer.status} encrypted`;
  const { code } = JSON.parse(answer.body.toString()) as { code?: string };
  return code ? `${answer.status} ${code}` : String(answer.status);
}

/** Returns the types of a resource's events, in order. */
export async function readEvents({ db }: Bench, resourceId: string): Promise<string[]> {
  return db('events').where('resource_id', resourceId).orderBy('sequence').pluck<string[]>('type');
}

/** Returns each entry of a charge's timeline as its type and what it says, without times and ids. */
export async function readTimeline({ db }: Bench, chargeId: string): Promise<string[]> {
  const rows = await db('charge_timeline').where('charge_id', chargeId).orderBy('id');
  const entries = rows.flatMap(({ entries: kept }: { entries: NewTimelineEntry[] }) => kept);
  return entries.map(({ type, detail }) => {
    const { until: _, refund: __, ...told } = detail as Record<string, unknown>;
    return [type, ...Object.values(told)].join(' ');
  });
}
