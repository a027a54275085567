import { newId } from '#db/new-id.ts';
import { claimedIds, workflowId } from '#temporal/client/ids.ts';
import { refundStart } from '#temporal/client/starts.ts';
import type { Environment, Fault } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type AccountSettings, type Merchant } from '../support/resources/merchant.ts';
import { cancelRefund, refundCharge, voidAtProcessor } from '../support/resources/refunds.ts';
import { startAgain } from '../support/resources/runs.ts';
import { terminate, type Drive, type TakenPath } from './taken-path.ts';

/**
 * Every way that the `refund` workflow can take, each driven through HTTP from its claim to its close. Outcomes that lead to
 * the same commands are one way.
 */

/** A refund under way. */
interface Opened extends TakenPath {
  id: string;
  chargeId: string;
  merchant: Merchant;
}

interface Opening {
  /** Of the charge. */
  token?: string;
  body?: { amount?: number };
  headers?: Record<string, string>;
  /** What the processor does with the first call. */
  fault?: Pick<Fault, 'mode' | 'when'>;
  settings?: AccountSettings;
}

/** Settled before anybody would reverse it. */
const hasty: AccountSettings = { refund_reversible_ms: 300, refund_settlement_ms: 300 };
const asynchronously = { prefer: 'respond-async' };

async function open(env: Environment, opening: Opening = {}): Promise<Opened> {
  const { token = 'tok_visa', body = {}, headers = {}, fault, settings = {} } = opening;
  const merchant = await createMerchant(settings);
  const { body: charge } = await merchant.charge({ payment_method: token });
  if (fault) await env.stageFault({ ...fault, route: 'refunds', key: charge.id, times: 1 });
  const metadata = { note: 'Kept out of histories' };
  const key = newId('claim');
  await refundCharge(merchant, charge.id, { metadata, ...body }, { key, headers });
  const id = workflowId('refund', merchant.accountId, key);
  const claim = await env.db('idempotency_keys').where({ account_id: merchant.accountId, key }).first();
  return { workflowId: id, id: claim.resource_id, chargeId: charge.id, merchant };
}

/** The refund ends by itself. */
const untouched =
  (opening: Opening): Drive =>
  (env) =>
    open(env, { settings: hasty, ...opening });

const reverse = ({ merchant, id }: Opened) => cancelRefund(merchant, id);

async function reversalAnswerLost(env: Environment): Promise<TakenPath> {
  const opened = await open(env);
  const lost = { mode: 'garbage', when: 'after', times: 1 } as const;
  await env.stageFault({ route: 'refund-reversals', key: opened.id, ...lost });
  await reverse(opened);
  return opened;
}

/** The second reversal comes while the first is under way, and is answered when the refund is reversed already. */
async function reversedTwiceAtOnce(env: Environment): Promise<TakenPath> {
  const opened = await open(env);
  const slow = { mode: 'slow', when: 'after', times: 1, delay_ms: 1_500 } as const;
  await env.stageFault({ route: 'refund-reversals', key: opened.id, ...slow });
  const first = reverse(opened);
  await eventually('the reversal is under way', async () => {
    const row = await env.db('refunds').where('id', opened.id).first();
    return row.reversal_claim_id;
  });
  await Promise.all([first, reverse(opened)]);
  return opened;
}

async function keptThenSettled(env: Environment): Promise<TakenPath> {
  const settings = { refund_reversible_ms: 2_000, refund_settlement_ms: 2_000 };
  const opened = await open(env, { settings });
  await voidAtProcessor(env, opened.chargeId);
  await reverse(opened);
  return opened;
}

async function lostWhileWaiting(env: Environment): Promise<TakenPath> {
  const opened = await open(env);
  const { runId } = await env.temporal.workflow.getHandle(opened.workflowId).describe();
  await terminate(env, opened);
  return { workflowId: opened.workflowId, runId };
}

/** Its reversal starts the workflow again, with the same ids. */
async function reversedAfterLoss(env: Environment): Promise<TakenPath> {
  const opened = await open(env);
  await terminate(env, opened);
  await reverse(opened);
  return opened;
}

/** A start that came after its claim was deleted. */
async function notStarted(env: Environment): Promise<TakenPath> {
  const claim = { claimId: newId('claim'), resourceId: newId('refund') };
  const ids = claimedIds('refund', newId('account'), 'late', claim);
  const refundDurations = { reversibleMs: 60_000, settlementMs: 60_000 };
  await startAgain(env, refundStart({ ...ids, amount: 1_000, currency: 'EUR' }, { refundDurations }));
  return ids;
}

/** By the name of the file that its history is kept in. */
export const refundPaths: Record<string, Drive> = {
  settled: untouched({}),
  failed: untouched({ token: 'tok_refund_fails' }),
  'responded-async': untouched({ headers: asynchronously }),
  'responded-async-refused': untouched({ headers: asynchronously, body: { amount: 1_001 } }),
  'not-started': notStarted,

  async reversed(env) {
    const opened = await open(env);
    await reverse(opened);
    return opened;
  },
  'reversal-kept-then-settled': keptThenSettled,
  'reversal-answer-lost': reversalAnswerLost,
  'reversed-twice-at-once': reversedTwiceAtOnce,

  'async-notified': untouched({ fault: { mode: 'pending', when: 'before' } }),
  'unknown-found': untouched({ fault: { mode: 'garbage', when: 'after' } }),
  'unknown-failed': untouched({ token: 'tok_refund_fails', fault: { mode: 'garbage', when: 'after' } }),

  'lost-while-waiting': lostWhileWaiting,
  'restarted-reversed': reversedAfterLoss,
};
