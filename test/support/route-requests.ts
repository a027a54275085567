import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describedTable } from '#api/described-table.ts';
import { createDocument } from '#api/openapi/document.ts';
import type { Route } from '#api/http/route.ts';
import { newId } from '#db/new-id.ts';
import { row, runBatch } from './resources/charge-batches.ts';
import { createCustomer } from './resources/customers.ts';
import { exportFile, untilDone, type OperationBody } from './resources/exports.ts';
import { makeMember } from './resources/access/members.ts';
import { addClient, type HttpAnswer, type Merchant, type SendOptions } from './resources/merchant.ts';
import { refundCharge } from './resources/refunds.ts';
import { environment } from './stack/environment.ts';
import { eventually } from './eventually.ts';
import { createWebhookEndpoint, deadUrl } from './resources/webhook-endpoints.ts';

const table = describedTable();

/** Every route of accounts, as the service has them, and every other. */
export const routes = table.routes.filter(({ caller }) => caller === 'account');
export const otherRoutes = table.routes.filter(({ caller }) => caller !== 'account');

export const toRouteName = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method} ${path}`;

/** One of everything that a route can name, of one merchant. */
export interface Estate {
  merchant: Merchant;
  /** Captured, and refunded in part. */
  charge: string;
  /** Waits for its capture. */
  authorized: string;
  refund: string;
  customer: string;
  paymentMethod: string;
  /** Disabled, so that nothing changes it by itself. */
  webhookEndpoint: string;
  /** Of its test, which was cancelled. */
  webhookDelivery: string;
  /** That of its test. */
  event: string;
  /** An export that is done. */
  operation: string;
  /** A charge batch that is done. */
  chargeBatch: string;
  customerReport: string;
  /** Another client of the account. */
  client: string;
  member: string;
  /** Of the member, who is signed in. */
  session: string;
  /** The Idempotency-Key of the charge. */
  key: string;
  /** That of the charge. */
  trace: string;
}

export async function createEstate(merchant: Merchant): Promise<Estate> {
  const key = randomUUID();
  const [charge, authorized, customer] = await Promise.all([
    merchant.charge({}, { key }),
    merchant.charge({ capture_method: 'manual' }),
    createCustomer(merchant, { name: 'Ada Lovelace' }),
  ]);
  const refund = await refundCharge(merchant, charge.body.id, { amount: 100 });
  const { body } = await customer.attach();
  const endpoint = await createWebhookEndpoint(merchant, { events: ['endpoint.test'] });
  const test = await endpoint.test();
  await endpoint.patch({ status: 'disabled' });
  const operation = await exportFile(merchant, { resource: 'charges', format: 'csv' });
  const batch = await runBatch(merchant, [row()]);
  const report = await merchant.send<OperationBody>('POST', '/v1/customer-reports', { format: 'csv' });
  await untilDone(merchant, report.body.id);
  assert.deepEqual([charge.status, authorized.status, refund.status], [201, 201, 201]);
  return {
    merchant,
    charge: charge.body.id,
    authorized: authorized.body.id,
    refund: refund.body.id,
    customer: customer.id,
    paymentMethod: body.payment_methods[0]?.id ?? '',
    webhookEndpoint: endpoint.id,
    webhookDelivery: test.body.id,
    event: test.body.event,
    operation: operation.id,
    chargeBatch: batch.id,
    customerReport: report.body.id,
    // Whoever asks may have this scope alone, and gives nobody another one.
    client: (await addClient(merchant, ['access:write'])).clientId,
    ...(await insertSignedIn(merchant)),
    key,
    trace: await findLogged(merchant, charge.headers.get('trace-id') ?? ''),
  };
}

/** Waits until the log of requests, which is written once a second, has the trace. */
async function findLogged(merchant: Merchant, trace: string): Promise<string> {
  const path = `/v1/requests/${trace}`;
  await eventually(path, async () => (await merchant.get(path)).status === 200);
  return trace;
}

/** Inserts a member of the account, and a session whose tokens nobody has. */
async function insertSignedIn({
  accountId,
  clientId,
}: Merchant): Promise<Pick<Estate, 'member' | 'session'>> {
  const { db } = await environment();
  const { id: member } = await makeMember(db, { accountId, role: 'viewer' });
  const session = newId('session');
  const later = db.raw(`now() + interval '1 hour'`);
  await db('refresh_families').insert({
    id: randomUUID(),
    client_id: clientId,
    scopes: [],
    member_id: member,
    session_id: session,
    expires_at: later,
    idle_until: later,
  });
  return { member, session };
}

/** What the parameter of a route names, by the start of its path; the first that fits counts. */
const named: [start: string, member: Exclude<keyof Estate, 'merchant'>][] = [
  ['/v1/charges/{id}:capture', 'authorized'],
  ['/v1/charges/{id}:cancel', 'authorized'],
  ['/v1/charges/{id}', 'charge'],
  ['/v1/refunds/{id}', 'refund'],
  ['/v1/customers/{id}', 'customer'],
  ['/v1/webhook-endpoints/{id}', 'webhookEndpoint'],
  ['/v1/webhook-deliveries/{id}', 'webhookDelivery'],
  ['/v1/events/{id}', 'event'],
  ['/v1/operations/{id}', 'operation'],
  ['/v1/exports/{id}', 'operation'],
  ['/v1/charge-batches/{id}', 'chargeBatch'],
  ['/v1/customer-reports/{id}', 'customerReport'],
  ['/v1/clients/{id}', 'client'],
  ['/v1/members/{id}', 'member'],
  ['/v1/sessions/{id}', 'session'],
  ['/v1/idempotency-keys/{key}', 'key'],
  ['/v1/requests/{trace_id}', 'trace'],
];

/**
 * The path of a route with what the estate has for its parameter.
 *
 * @throws for a route that names what no estate has: then it belongs here.
 */
export function buildPath({ path }: Pick<Route, 'path'>, estate: Omit<Estate, 'merchant'>): string {
  if (!path.includes('{')) return path;
  const member = named.find(([start]) => path.startsWith(start))?.[1];
  if (!member) throw new Error(`test/support/route-requests.ts has nothing for ${path}`);
  return path.replace(/\{\w+\}/, estate[member]);
}

const { paths } = createDocument(table) as unknown as {
  paths: Record<
    string,
    Record<string, { requestBody?: { content: Record<string, { example?: Record<string, unknown> }> } }>
  >;
};

/** The body of a route as the documents show it, naming what the estate has; `undefined` where it takes none. */
export function buildBody(
  { method, path }: Pick<Route, 'method' | 'path'>,
  estate: Estate,
): object | undefined {
  const content = paths[path]?.[method.toLowerCase()]?.requestBody?.content;
  if (!content) return undefined;
  const example = Object.values(content)[0]?.example ?? {};
  const ids: Record<string, unknown> = {
    charge: estate.charge,
    customer: estate.customer,
    url: deadUrl,
    scopes: ['access:write'],
  };
  if (path.endsWith(':detach-payment-method')) ids['payment_method'] = estate.paymentMethod;
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, ids[name] ?? value]));
}

/** Sends what the route asks for, about the things of `estate`, as `merchant`. */
export function ask(
  merchant: Merchant,
  route: Pick<Route, 'method' | 'path'>,
  estate: Estate,
  options: SendOptions = {},
): Promise<HttpAnswer<Record<string, unknown>>> {
  const isWrite = route.method !== 'GET' && route.method !== 'POST';
  return merchant.send(route.method, buildPath(route, estate), buildBody(route, estate), {
    ...options,
    headers: { ...(isWrite && { 'if-match': '*' }), ...options.headers },
  });
}
