import { WorkflowNotFoundError } from '@temporalio/client';
import type { ChargeFailure } from '#domain/charge-failures.ts';
import { terminalStatuses, type ChargeStatus, type VoidReason } from '#domain/charges.ts';
import type { Refund, RefundStatus } from '#domain/refunds.ts';
import type { WebhookOrdering } from '#domain/webhook-endpoints.ts';
import type { RunMemo } from '#temporal/client/starts.ts';
import type { BookEntry, Environment } from '../stack/environment.ts';

/** What the invariants are about, as Postgres, the processor and Temporal tell it. */
export interface Facts {
  now: Date;
  charges: ChargeFact[];
  refunds: RefundFact[];
  claims: ClaimFact[];
  events: EventFact[];
  /** Those that are enabled; of all accounts at once none, since tests of endpoints change what they ask for. */
  endpoints: EndpointFact[];
  deliveries: DeliveryFact[];
  /** The counter of each account. */
  sequences: { account_id: string; sequence: number }[];
  books: BookEntry[];
  /** Of every account: whose money the books may hold. */
  knownChargeIds: Set<string>;
  /** Claims that an open run answers for, of the charges and refunds that need one. */
  runningClaims: Set<string>;
}

export interface ChargeFact {
  id: string;
  account_id: string;
  claim_id: string;
  workflow_id: string;
  status: ChargeStatus;
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  amount_returned: number;
  capture_claim_id: string | null;
  void_reason: VoidReason | null;
  cancel_requested_at: Date | null;
  failure: ChargeFailure | null;
  created_at: Date;
}

export interface RefundFact {
  id: string;
  account_id: string;
  charge_id: string;
  claim_id: string;
  workflow_id: string;
  status: RefundStatus;
  amount: number;
  reversal_claim_id: string | null;
  /** (Default: `api`) */
  source?: Refund['source'];
  receipt?: Refund['receipt'];
  created_at: Date;
}

export interface ClaimFact {
  claim_id: string;
  endpoint: string;
  resource_id: string;
  start_by: Date;
  begun_at: Date | null;
  answer_status: number | null;
  answer_body: Uint8Array | null;
  answer_encrypted?: boolean;
}

export interface EndpointFact {
  id: string;
  account_id: string;
  events: string[];
  ordering: WebhookOrdering;
  created_at: Date;
}

export interface DeliveryFact {
  id: string;
  endpoint_id: string;
  event_id: string;
  sequence: number;
  type: string;
  is_replay: boolean;
}

export interface EventFact {
  id: string;
  created_at: Date;
  account_id: string;
  resource_id: string;
  type: string;
  sequence: number;
}

/** Reads them all; the books first, since money never moves before there is a row for it. */
export async function readFacts(env: Environment, accountIds?: string[]): Promise<Facts> {
  const books = await env.allBooks();
  const of = async <Row>(table: string): Promise<Row[]> => {
    const query = env.db(table).select('*');
    const rows: Row[] = await (accountIds ? query.whereIn('account_id', accountIds) : query);
    return rows;
  };
  const [claims, charges, refunds, deliveries, events, sequences] = [
    await of<ClaimFact>('idempotency_keys'),
    await of<ChargeFact>('charges'),
    await of<RefundFact>('refunds'),
    await of<DeliveryFact>('webhook_deliveries'),
    await of<EventFact>('events'),
    await of<Facts['sequences'][number]>('account_sequences'),
  ];
  const known: { id: string }[] = await env.db('charges').select('id');
  const open = [
    ...charges.filter(({ status }) => !terminalStatuses.includes(status)),
    ...refunds.filter(({ status }) => status === 'pending' || status === 'processed'),
  ];
  return {
    now: await databaseTime(env),
    charges,
    refunds,
    claims,
    events,
    endpoints: accountIds ? await findEndpoints(env, accountIds) : [],
    deliveries,
    sequences,
    books,
    knownChargeIds: new Set(known.map(({ id }) => id)),
    runningClaims: await findRunningClaims(env, open),
  };
}

async function findEndpoints({ db }: Environment, accountIds: string[]): Promise<EndpointFact[]> {
  const rows: EndpointFact[] = await db('webhook_endpoints')
    .whereIn('account_id', accountIds)
    .where({ status: 'enabled' });
  return rows;
}

/** Only the database's clock counts for what may begin. */
async function databaseTime(env: Environment): Promise<Date> {
  const { rows } = await env.db.raw<{ rows: { now: Date }[] }>('select clock_timestamp() as now');
  return rows[0]!.now;
}

async function findRunningClaims(env: Environment, open: { workflow_id: string }[]): Promise<Set<string>> {
  const running = new Set<string>();
  for (const { workflow_id } of open) {
    try {
      const run = await env.temporal.workflow.getHandle(workflow_id).describe();
      if (run.status.name === 'RUNNING') running.add((run.memo as unknown as RunMemo).claim_id);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
  return running;
}
