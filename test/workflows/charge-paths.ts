import { randomUUID } from 'node:crypto';
import { findClaim, findOrCreateClaim } from '#db/writes/idempotency-keys.ts';
import { newId } from '#db/new-id.ts';
import { claimedIds, workflowId } from '#temporal/client/ids.ts';
import { wakeSignal } from '#temporal/messages.ts';
import { chargeStart } from '#temporal/client/starts.ts';
import type { Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import {
  actAtStripe,
  chargeBuyer,
  comeBack,
  createBuyerMerchant,
  findAction,
  notify,
  press,
} from '../support/resources/buyer-charges.ts';
import {
  createMerchant,
  type AccountSettings,
  type ChargeBody,
  type HttpAnswer,
  type Merchant,
} from '../support/resources/merchant.ts';
import { startAgain } from '../support/resources/runs.ts';
import { terminate, type Drive, type TakenPath } from './taken-path.ts';

/**
 * Every way that the `charge` workflow can take, each driven through HTTP from its claim to its close. Outcomes that lead to
 * the same commands, such as a success and a decline, are one way.
 */

/** A charge under way: how it is asked for more. */
interface Opened extends TakenPath {
  id: string;
  merchant: Merchant;
  command(name: 'capture' | 'cancel', body?: object): Promise<{ status: number }>;
}

const asynchronously = { prefer: 'respond-async' };

async function open(
  env: Environment,
  body: Record<string, unknown> = {},
  { settings = {}, headers = {} }: { settings?: AccountSettings; headers?: Record<string, string> } = {},
): Promise<Opened> {
  const merchant = await createMerchant(settings);
  const key = randomUUID();
  await merchant.charge({ description: 'Kept out of histories', ...body }, { key, headers });
  const id = workflowId('charge', merchant.accountId, key);
  const { id: chargeId } = await env.db('charges').where('workflow_id', id).first();
  const command = async (name: 'capture' | 'cancel', content: object = {}) => {
    const answer = await merchant.send('POST', `/v1/charges/${chargeId}:${name}`, content);
    return answer;
  };
  return { workflowId: id, id: chargeId, merchant, command };
}

/** The charge ends by itself. */
const byToken =
  (token: string, settings: AccountSettings = {}): Drive =>
  (env) =>
    open(env, { payment_method: token }, { settings });

const manual = (env: Environment, settings: AccountSettings = {}) =>
  open(env, { capture_method: 'manual' }, { settings });

const hasStatus = ({ id, merchant }: Opened, status: string) =>
  eventually(`${id} reads ${status}`, async () => {
    const { body } = await merchant.get(`/v1/charges/${id}`);
    return body.status === status;
  });

/** A capture whose caller looked at the row before it changed: its run is woken, and the begin refuses it. */
async function captureUnseen(env: Environment, charge: Opened, amount: number | null): Promise<void> {
  const claimId = newId('claim');
  await findOrCreateClaim(env.db, {
    claimId,
    accountId: charge.merchant.accountId,
    endpoint: 'POST /v1/charges/{id}:capture',
    key: randomUUID(),
    fingerprint: Buffer.alloc(32),
    request: { amount },
    resourceId: charge.id,
    apiVersion: '2026-11-01',
    path: `/v1/charges/${charge.id}:capture`,
    traceId: randomUUID().replaceAll('-', ''),
    startWithinMs: 20_000,
  });
  await env.temporal.workflow.getHandle(charge.workflowId).signal(wakeSignal);
  await eventually('the capture is answered', async () => (await findClaim(env.db, claimId))?.answer);
}

/** The run is lost, and begins again as the sweep begins it. Returns the new one. */
async function restart(env: Environment, charge: Opened): Promise<TakenPath> {
  const { workflowId, id, merchant } = charge;
  const { claim_id: claimId } = await env.db('charges').where('id', id).first();
  await terminate(env, charge);
  const durations = { authorizationTtlMs: 600_000, unknownTimeoutMs: 600_000 };
  const ids = { id, accountId: merchant.accountId, claimId, workflowId };
  const start = chargeStart({ ...ids, amount: 1_000, currency: 'EUR' }, { durations });
  const run = await startAgain(env, start);
  return { workflowId, runId: run.firstExecutionRunId };
}

/** The cancel was written, and its wake lost with the run. */
async function cancelFromRow(env: Environment): Promise<TakenPath> {
  const charge = await manual(env);
  await env.db('charges').where('id', charge.id).update({ cancel_requested_at: new Date() });
  return restart(env, charge);
}

/** A capture that comes while a void is under way is answered after it. */
async function captureBehindVoid(env: Environment): Promise<TakenPath> {
  const charge = await manual(env);
  await env.stageFault({
    route: 'voids',
    key: charge.id,
    mode: 'slow',
    when: 'after',
    times: 1,
    delay_ms: 1_500,
  });
  const cancelled = charge.command('cancel');
  await eventually('the void is under way', async () => {
    const [row] = await env.db('charges').where('id', charge.id);
    return row.void_reason;
  });
  await Promise.all([cancelled, captureUnseen(env, charge, null)]);
  return charge;
}

async function captureAfterLoss(env: Environment): Promise<TakenPath> {
  const charge = await manual(env);
  await terminate(env, charge);
  await charge.command('capture');
  return charge;
}

/** The run that was lost: its history ends where it was terminated. */
async function lostWhileWaiting(env: Environment): Promise<TakenPath> {
  const charge = await manual(env);
  const { runId } = await env.temporal.workflow.getHandle(charge.workflowId).describe();
  await terminate(env, charge);
  return { workflowId: charge.workflowId, runId };
}

async function cancelAfterLoss(env: Environment): Promise<TakenPath> {
  const charge = await open(env, { payment_method: 'tok_async_silent' });
  await terminate(env, charge);
  await charge.command('cancel');
  return charge;
}

/** A start that came after its claim was deleted. */
async function notStarted(env: Environment): Promise<TakenPath> {
  const claim = { claimId: newId('claim'), resourceId: newId('charge') };
  const ids = claimedIds('charge', newId('account'), 'late', claim);
  const durations = { authorizationTtlMs: 60_000, unknownTimeoutMs: 60_000 };
  await startAgain(env, chargeStart({ ...ids, amount: 1_000, currency: 'EUR' }, { durations }));
  return ids;
}

/** A charge that asks its buyer, and what the buyer does. */
async function buyer(
  env: Environment,
  act: (answer: HttpAnswer<ChargeBody>, merchant: Merchant) => Promise<void>,
  settings: AccountSettings = {},
): Promise<TakenPath> {
  const merchant = await createBuyerMerchant(env, settings);
  const key = randomUUID();
  const answer = await chargeBuyer(merchant, {}, { key });
  await act(answer, merchant);
  return { workflowId: workflowId('charge', merchant.accountId, key) };
}

async function captureElsewhere(env: Environment): Promise<TakenPath> {
  const merchant = await createBuyerMerchant(env);
  const key = randomUUID();
  const { body } = await merchant.charge({ capture_method: 'manual' }, { key });
  await actAtStripe(env, body.id, 'capture');
  await notify(env, body.id);
  return { workflowId: workflowId('charge', merchant.accountId, key) };
}

/** By the name of the file that its history is kept in. */
export const chargePaths: Record<string, Drive> = {
  captured: byToken('tok_visa'),
  'responded-async': (env) => open(env, {}, { headers: asynchronously }),
  'not-started': notStarted,

  async 'authorized-captured'(env) {
    const charge = await manual(env);
    await charge.command('capture');
    return charge;
  },
  async 'capture-refused-then-captured'(env) {
    const charge = await manual(env);
    await captureUnseen(env, charge, 1_001);
    await charge.command('capture');
    return charge;
  },
  'capture-refused-behind-void': captureBehindVoid,
  async 'capture-answer-lost'(env) {
    const charge = await manual(env);
    await env.stageFault({
      route: 'captures',
      key: charge.id,
      mode: 'garbage',
      when: 'after',
      times: 1,
    });
    await charge.command('capture');
    return charge;
  },

  async 'authorized-cancelled'(env) {
    const charge = await manual(env);
    await charge.command('cancel');
    return charge;
  },
  'authorized-expired': (env) => manual(env, { authorization_ttl_ms: 500 }),

  'async-notified': byToken('tok_async'),
  'async-silent': byToken('tok_async_silent'),
  async 'async-authorized-captured'(env) {
    const charge = await open(env, { payment_method: 'tok_async', capture_method: 'manual' });
    await hasStatus(charge, 'requires_capture');
    await charge.command('capture');
    return charge;
  },
  async 'async-cancelled'(env) {
    const charge = await open(env, { payment_method: 'tok_async_silent' });
    await charge.command('cancel');
    return charge;
  },

  'unknown-found': byToken('tok_timeout_charged'),
  'unknown-voided': byToken('tok_silent', { unknown_timeout_ms: 1_000 }),
  async 'unknown-cancelled'(env) {
    const charge = await open(env, { payment_method: 'tok_silent' }, { headers: asynchronously });
    await charge.command('cancel');
    return charge;
  },

  'action-returned': (env) =>
    buyer(env, async (answer) => void (await comeBack(await press(findAction(answer), 'confirm')))),
  'action-expired': (env) => buyer(env, () => Promise.resolve(), { action_ttl_ms: 300 }),
  'action-cancelled': (env) =>
    buyer(
      env,
      async ({ body }, merchant) => void (await merchant.send('POST', `/v1/charges/${body.id}:cancel`)),
    ),
  'authorization-captured-elsewhere': captureElsewhere,

  'lost-while-waiting': lostWhileWaiting,
  'restarted-captured': captureAfterLoss,
  'restarted-cancelled': cancelAfterLoss,
  'restarted-cancelled-by-row': cancelFromRow,
};
