import { webhookEndpointWorkflowId } from '#temporal/client/ids.ts';
import type { Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type AccountSettings, type Merchant } from '../support/resources/merchant.ts';
import {
  accept,
  keepSilent,
  refuse,
  startReceiver,
  type Answer,
  type Receiver,
} from '../support/stack/outside/receiver.ts';
import {
  deliveriesTo,
  subscribe,
  findWorkflow,
  type Subscription,
  untilParked,
} from '../support/resources/subscriptions.ts';
import { terminate, type Drive, type TakenPath } from './taken-path.ts';

/**
 * Every way that the `webhookEndpoint` workflow can take, each from the event that wakes it to its close. To the workflow a
 * dead letter is like a delivery.
 */

interface Driven {
  env: Environment;
  merchant: Merchant;
  endpoint: Subscription;
  receiver: Receiver;
  taken: TakenPath;
}

interface Opening {
  answer?: Answer;
  settings?: AccountSettings;
  body?: Record<string, unknown>;
}

/** Lets the endpoint's workflow close by itself, for lack of anything to do. */
const closeMs = 90_000;

/** Its receiver lives until the workflow has closed. */
const driven =
  (opening: Opening, go: (driven: Driven) => Promise<unknown> = () => Promise.resolve()): Drive =>
  async (env) => {
    const receiver = await startReceiver();
    try {
      const merchant = await createMerchant(opening.settings);
      const endpoint = await subscribe(merchant, receiver, opening.body);
      if (opening.answer) receiver.answer(opening.answer);
      await merchant.charge();
      const workflowId = webhookEndpointWorkflowId(endpoint.id);
      const { runId } = await eventually('it is woken', () => findWorkflow(env, endpoint).describe());
      await go({ env, merchant, endpoint, receiver, taken: { workflowId, runId } });
      await eventually(
        'its workflow closes',
        async () => (await findWorkflow(env, endpoint).describe()).status.name !== 'RUNNING',
        closeMs,
      );
      return { workflowId, runId };
    } finally {
      await receiver.close();
    }
  };

const failTimes = (times: number): Answer => {
  let failed = 0;
  return (received, response) => {
    failed += 1;
    (failed <= times ? refuse(500) : accept)(received, response);
  };
};

export const webhookEndpointPaths: Record<string, Drive> = {
  delivered: driven({}),
  'parked-then-delivered': driven({
    answer: failTimes(1),
    settings: { webhook_retry_schedule_ms: [0, 1_000] },
    body: { ordering: 'fifo' },
  }),
  'parked-then-changed': driven(
    {
      answer: failTimes(1),
      settings: { webhook_retry_schedule_ms: [0, 3_600_000] },
      body: { ordering: 'fifo' },
    },
    async (its) => {
      await untilParked(its.env, its.endpoint);
      const path = `/v1/webhook-endpoints/${its.endpoint.id}`;
      await its.env
        .db('webhook_deliveries')
        .where({ endpoint_id: its.endpoint.id })
        .update({ next_attempt_at: new Date() });
      await its.merchant.send('PATCH', path, { description: 'mended' }, { headers: { 'if-match': '*' } });
    },
  ),
  'outlived-its-turn': driven({ answer: keepSilent, settings: { webhook_retry_schedule_ms: [0] } }),
  gone: driven({ answer: refuse(410) }),
  deleted: driven(
    { answer: refuse(500), settings: { webhook_retry_schedule_ms: [0, 3_600_000] } },
    async ({ env, merchant, endpoint }) => {
      await eventually('it was tried', async () => (await deliveriesTo(env, endpoint))[0]?.attempts === 1);
      await merchant.send('DELETE', `/v1/webhook-endpoints/${endpoint.id}`);
    },
  ),
  'lost-while-parked': driven(
    {
      answer: refuse(500),
      settings: { webhook_retry_schedule_ms: [0, 3_600_000] },
      body: { ordering: 'fifo' },
    },
    async (its) => {
      await untilParked(its.env, its.endpoint);
      await terminate(its.env, its.taken);
    },
  ),
};
