import { Webhook } from 'standardwebhooks';
import { webhookEndpointWorkflowId } from '#temporal/client/ids.ts';
import type { DeliveryStatus } from '#domain/webhook-deliveries.ts';
import type { WebhookEndpointResource } from '#domain/webhook-endpoints.ts';
import type { Environment } from '../stack/environment.ts';
import { eventually } from '../eventually.ts';
import type { Merchant } from './merchant.ts';
import type { Received, Receiver } from '../stack/outside/receiver.ts';

/** A merchant's endpoint, registered at the API. */
export interface Subscription {
  id: string;
  path: string;
  secret: string;
  /** What came to it, with signatures that hold. */
  received(): { id: string; type: string; sequence: number; data: { object: { id: string } } }[];
  raw(): Received[];
}

/** A row of `webhook_deliveries`. */
interface WebhookDeliveryRow {
  id: string;
  account_id: string;
  endpoint_id: string;
  event_id: string;
  sequence: number;
  type: string;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: Date | null;
  is_replay: boolean;
  replay_of: string | null;
  updated_at: Date;
}

let paths = 0;

/** Registers a path of the receiver. */
export async function subscribe(
  merchant: Merchant,
  receiver: Receiver,
  body: Record<string, unknown> = {},
): Promise<Subscription> {
  paths += 1;
  const path = `/hooks/${paths}`;
  const answer = await merchant.send<WebhookEndpointResource & { secret: string }>(
    'POST',
    '/v1/webhook-endpoints',
    { url: receiver.url + path, events: ['*'], ...body },
  );
  if (answer.status !== 201) throw new Error(`not registered: ${answer.text}`);
  const { id, secret } = answer.body;
  const verifier = new Webhook(secret);
  const verified = (one: Received) => verifier.verify(one.body, one.headers as Record<string, string>);
  return {
    id,
    path,
    secret,
    raw: () => receiver.at(path),
    received: () => receiver.at(path).map((one) => verified(one) as never),
  };
}

/** All deliveries to it, oldest first. */
export function deliveriesTo(env: Environment, { id }: { id: string }): Promise<WebhookDeliveryRow[]> {
  return env.db<WebhookDeliveryRow>('webhook_deliveries').where({ endpoint_id: id }).orderBy('sequence');
}

/** Waits until nothing is open of its deliveries, of which there are `count`. */
export async function untilSettled(
  env: Environment,
  subscription: { id: string },
  count: number,
): Promise<WebhookDeliveryRow[]> {
  return eventually(`${count} deliveries are over`, async () => {
    const rows = await deliveriesTo(env, subscription);
    return rows.length === count && rows.every((row) => row.next_attempt_at === null) && rows;
  });
}

export function findWorkflow(env: Environment, { id }: { id: string }) {
  return env.temporal.workflow.getHandle(webhookEndpointWorkflowId(id));
}

export function endpointRow(env: Environment, { id }: { id: string }) {
  return env.db('webhook_endpoints').where({ id }).first();
}

/** Waits until it is parked, and its session is over. An attempt parks it; the session's end writes its row once more. */
export function untilParked(env: Environment, endpoint: { id: string }) {
  return eventually('it is parked and asleep', async () => {
    const row = await endpointRow(env, endpoint);
    return row.parked_until !== null && row.awake === false && row;
  });
}

export function findAttempts(env: Environment, { id }: { id: string }) {
  return env.db('webhook_attempts').where({ delivery_id: id }).orderBy('number');
}

/** Has so many deliveries of the endpoint's newest event wait, as if that many had been committed meanwhile. */
export async function addBacklog(env: Environment, { id }: { id: string }, count: number): Promise<void> {
  await env.db.raw(
    `insert into webhook_deliveries (id, account_id, endpoint_id, event_id, sequence, type, next_attempt_at)
     select new_webhook_delivery_id(d.event_id), d.account_id, d.endpoint_id, d.event_id, d.sequence + n, d.type, now()
     from (select * from webhook_deliveries where endpoint_id = ? order by sequence desc limit 1) d,
       generate_series(1, ?::int) as n`,
    [id, count],
  );
  await env.db.raw(`select pg_notify('webhook_deliveries', ?)`, [id]);
}
