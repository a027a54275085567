import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { adminJson } from '../support/stack/admin.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { row, rows, runBatch, submitBatch } from '../support/resources/charge-batches.ts';
import { eventually } from '../support/eventually.ts';
import { submitExport, untilDone } from '../support/resources/exports.ts';
import { assertInvariants } from '../support/invariants/invariants.ts';
import { createMerchant, type HttpAnswer, type Merchant } from '../support/resources/merchant.ts';
import { untilAnswered } from '../support/stack/persistent.ts';
import { accept, startReceiver, type Answer, type Receiver } from '../support/stack/outside/receiver.ts';
import { refundCharge } from '../support/resources/refunds.ts';
import { holdEveryUpload, linkToTemporal, restore } from '../support/stack/stages.ts';
import { runMaintenance } from '../support/resources/maintenance.ts';
import { createWebhookEndpoint } from '../support/resources/webhook-endpoints.ts';

/** What `npm run admin -- account disable` stops within 5 s, and what goes on once the account is enabled again. */

let env: Environment;
let merchant: Merchant;

const admin = (...args: string[]) =>
  adminJson({ DATABASE_URL: env.stack.databaseUrl, SECRETS_KEY: env.stack.env['SECRETS_KEY'] }, [
    'account',
    ...args,
    merchant.accountId,
  ]);
const disable = () => admin('disable');
const enable = () => admin('enable');

const movements = async (chargeId: string) => (await env.books(chargeId)).map(({ kind }) => kind);

async function prepare(this: Mocha.Context) {
  env = await environment();
}

async function begin() {
  merchant = await createMerchant();
}

async function end() {
  await restore(env);
  await enable();
  await assertInvariants(env, { accountIds: [merchant.accountId] });
}

/** A command that waits on its way to Temporal, and how it is answered once it may begin. */
interface Waiting {
  name: string;
  send: (options: { key: string; url?: string }) => Promise<HttpAnswer>;
  key: string;
  status: number;
}

async function waiting(): Promise<Waiting[]> {
  const held = (await merchant.charge({ capture_method: 'manual' })).body;
  const paid = (await merchant.charge()).body;
  const other = (await merchant.charge()).body;
  const refund = (await refundCharge(merchant, other.id)).body;
  const commands: Omit<Waiting, 'key'>[] = [
    { name: 'charge', status: 201, send: (options) => merchant.charge({}, options) },
    {
      name: 'capture',
      status: 200,
      send: (options) => merchant.send('POST', `/v1/charges/${held.id}:capture`, {}, options),
    },
    { name: 'refund', status: 201, send: (options) => refundCharge(merchant, paid.id, {}, options) },
    {
      name: 'reversal',
      status: 200,
      send: (options) => merchant.send('POST', `/v1/refunds/${refund.id}:cancel`, {}, options),
    },
    { name: 'batch', status: 202, send: (options) => submitBatch(merchant, [row()], options) },
  ];
  return commands.map((command) => ({ ...command, key: randomUUID() }));
}

describe('A disabled account, with Temporal cut off', () => {
  before(prepare);
  beforeEach(begin);
  afterEach(end);

  it('begins nothing that waited for it', async () => {
    const commands = await waiting();
    const before = await booksOfAccount();
    const link = await linkToTemporal(env);
    const { url } = await link.addApi();
    link.proxy.holdRequests();
    const sent = commands.map(({ send, key }) => send({ key, url }));
    await eventually('the keys are claimed', async () => {
      const keys = commands.map(({ key }) => key);
      return (await env.db('idempotency_keys').whereIn('key', keys)).length === keys.length;
    });
    await disable();
    link.proxy.open();
    for (const { status, text } of await Promise.all(sent)) assert.equal(status, 503, text);
    assert.deepEqual(await booksOfAccount(), before);
    await enable();
    for (const { name, send, key, status } of commands) {
      const answer = await untilEnabled(() => send({ key }));
      assert.equal(answer.status, status, `${name}: ${answer.text}`);
    }
    await eventually(
      'all of it moved money',
      async () => (await booksOfAccount()).length === before.length + commands.length,
    );
  });
});

describe('A disabled account', () => {
  before(prepare);
  beforeEach(begin);
  afterEach(end);

  it('stops sending rows of a batch within seconds', async () => {
    const { id } = (await submitBatch(merchant, rows(600))).body;
    const moved = async () => (await booksOfAccount()).length;
    await eventually('rows are charged', async () => (await moved()) > 40);
    await disable();
    // It takes 5 s at most where the processor time is there; other tests may need it.
    await eventually('it waits', async () => (await operation(id)).status === 'queued');
    await eventually('what was sent is told of', async () => (await pendingCharges()) === 0);
    const before = await moved();
    assert.ok(before < 600, `${before} were charged`);
    await runMaintenance(env, 'sweep');
    assert.deepEqual([(await operation(id)).status, await moved()], ['queued', before]);
    await enable();
    await runMaintenance(env, 'sweep');
    const done = await untilDone(merchant, id);
    assert.deepEqual([done.status, done.progress?.completed], ['succeeded', 600]);
    await eventually('each row moved money', async () => (await moved()) === 600);
  });

  it('sends no row of a batch that is resumed', async () => {
    await env.stageFault({ route: 'charges', mode: 'unavailable', when: 'before', times: 10_000 });
    const { id } = (await submitBatch(merchant, rows(100))).body;
    await eventually('rows have begun', async () => (await batchCharges(id)) >= 32);
    await env.stack.part('worker').kill('SIGKILL');
    const begun = await batchCharges(id);
    await disable();
    await env.clearFaults();
    await env.stack.part('worker').start();
    await eventually('it waits', async () => (await operation(id)).status === 'queued');
    await runMaintenance(env, 'sweep');
    assert.deepEqual([await booksOfAccount(), await batchCharges(id)], [[], begun]);
    await enable();
    await runMaintenance(env, 'sweep');
    const done = await untilDone(merchant, id);
    assert.deepEqual([done.status, done.progress?.completed], ['succeeded', 100]);
    await eventually('each row moved money', async () => (await booksOfAccount()).length === 100);
  });

  it('has its exports wait until it is enabled', async () => {
    await merchant.charge();
    const held = await holdEveryUpload(env);
    const { id } = (await submitExport(merchant)).body;
    await held.untilBlocked();
    await disable();
    const disabledAt = Date.now();
    await eventually('the worker has looked at the row since', () => Date.now() - disabledAt > 3_000);
    await held.release();
    await eventually('it waits', async () => (await operation(id)).status === 'queued');
    await enable();
    await runMaintenance(env, 'sweep');
    const done = await untilDone(merchant, id);
    assert.deepEqual([done.status, done.progress?.completed], ['succeeded', 1]);
  });

  it('learns what became of a charge that was sent', async () => {
    await env.stageFault({ route: 'charges', mode: 'timeout', when: 'after', times: 1 });
    await env.stageFault({ route: 'lookups', mode: 'unavailable', when: 'before', times: 2 });
    const sent = merchant.charge();
    await eventually('the money moved', async () => (await booksOfAccount()).length === 1);
    await disable();
    await sent;
    await eventually('it is settled', async () => (await onlyCharge()).status === 'succeeded');
  });

  it('sends no charge again that the processor never saw', async () => {
    await env.stageFault({ route: 'charges', mode: 'unavailable', when: 'before', times: 1 });
    await env.stageFault({ route: 'lookups', mode: 'unavailable', when: 'before', times: 3 });
    const key = randomUUID();
    const sent = merchant.charge({}, { key });
    await eventually('it has begun', onlyCharge);
    await disable();
    await sent;
    const { workflow_id: run, id } = await onlyCharge();
    await eventually('it is held', async () => {
      const { raw } = await env.temporal.workflow.getHandle(run).describe();
      return raw.pendingActivities?.some(
        ({ lastFailure }) => lastFailure?.applicationFailureInfo?.type === 'account_disabled',
      );
    });
    assert.deepEqual(await movements(id), []);
    await enable();
    const answer = await untilEnabled(() => merchant.charge({}, { key }));
    assert.deepEqual([answer.status, await movements(id)], [201, ['capture']], answer.text);
  });
});

/** The books of more charges are read all at once. */
const few = 20;

/** What moved for the account's charges, in order. */
async function booksOfAccount(): Promise<string[]> {
  const charges = await env.db('charges').where('account_id', merchant.accountId).orderBy('id');
  const ids = charges.map(({ id }: { id: string }) => id);
  if (ids.length <= few) return (await Promise.all(ids.map(movements))).flat();
  const own = new Map(ids.map((id) => [id, [] as string[]]));
  for (const { charge_key: key, kind } of await env.allBooks()) own.get(key)?.push(kind);
  return [...own.values()].flat();
}

async function batchCharges(id: string): Promise<number> {
  return (await env.db('charges').where('from_batch_id', id)).length;
}

function operation(id: string): Promise<{ status: string }> {
  return env.db('operations').where('id', id).first();
}

/** Of those that may have been sent: what never was waits until the account is enabled. */
async function pendingCharges(): Promise<number> {
  const sent = env
    .db('charges')
    .where({ account_id: merchant.accountId, status: 'pending' })
    .whereNotNull('sent_at');
  return (await sent).length;
}

async function onlyCharge(): Promise<{ id: string; status: string; workflow_id: string }> {
  const [charge] = await env.db('charges').where('account_id', merchant.accountId);
  assert.ok(charge);
  return charge;
}

/** An API notices within some seconds that the account may ask again. */
function untilEnabled<Body>(send: () => Promise<HttpAnswer<Body>>): Promise<HttpAnswer<Body>> {
  return untilAnswered('it is enabled', async () => {
    const answer = await send();
    if (answer.status === 403) throw new Error(answer.text);
    return answer;
  });
}

describe('The webhooks of a disabled account', () => {
  let receiver: Receiver;
  before(prepare);
  beforeEach(async () => {
    await begin();
    receiver = await startReceiver();
  });
  afterEach(end);
  afterEach(() => receiver.close());

  it('are held at once, and sent when enabled again', async () => {
    const slowly: Answer = (received, response) => void setTimeout(() => accept(received, response), 700);
    receiver.answer(slowly);
    const endpoint = await createWebhookEndpoint(merchant, { url: receiver.url });
    const count = 500;
    await runBatch(merchant, rows(count));
    await eventually('many are on their way', () => receiver.received.length > 40);
    await disable();
    const disabledAt = Date.now();
    await eventually(
      'what was sent is written, and the turn is over',
      async () =>
        (await deliveredTo(endpoint.id)) === receiver.received.length && !(await isDelivering(endpoint.id)),
    );
    const sent = receiver.received.length;
    assert.ok(sent < count, `${sent} were sent`);
    assert.ok(receiver.received.at(-1)!.at - disabledAt < 5_000);
    await runMaintenance(env, 'sweep');
    assert.equal(receiver.received.length, sent);
    await enable();
    receiver.answer(accept);
    await env.db('webhook_endpoints').where('id', endpoint.id).update('last_turn_at', null);
    await runMaintenance(env, 'sweep');
    await eventually('the rest is sent', async () => (await deliveredTo(endpoint.id)) >= count);
  });
});

/** Its workflow has a turn under way. */
async function isDelivering(endpointId: string): Promise<boolean> {
  const runs = env.temporal.workflow.list({
    query: `ResourceId = '${endpointId}' and ExecutionStatus = 'Running'`,
  });
  for await (const { workflowId } of runs) {
    const { raw } = await env.temporal.workflow.getHandle(workflowId).describe();
    if ((raw.pendingActivities?.length ?? 0) > 0) return true;
  }
  return false;
}

async function deliveredTo(endpointId: string): Promise<number> {
  const [row] = await env
    .db('webhook_deliveries')
    .where({ endpoint_id: endpointId, status: 'delivered' })
    .count();
  return Number(row?.['count']);
}
