import {
  condition,
  continueAsNew,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { sessionActivities } from './proxies.ts';
import { accountId } from '#temporal/search-attributes.ts';
import { wakeSignal } from '#temporal/messages.ts';
import type { WebhookEndpointInput } from '#temporal/webhook-endpoints.ts';

/** Events after which the run continues in a new one: an endpoint that fails for days is no burden to replay. */
const longestHistory = 400;

/**
 * Delivers for one endpoint, session after session, for as long as there is something to deliver or to wait for. Each
 * session reads from Postgres what is due, so that nothing is lost with a run.
 */
export async function webhookEndpoint({ endpointId, idleMs = 0 }: WebhookEndpointInput): Promise<void> {
  let isWoken = false;
  setHandler(wakeSignal, () => {
    isWoken = true;
  });
  let idle = idleMs;
  for (;;) {
    isWoken = false;
    const session = await sessionActivities.deliverDue({ endpointId, idleMs: idle });
    idle = session.idleMs;
    showAccount(session.accountId);
    if (session.state === 'on_turn') await pause(session.resumeInMs ?? 0);
    else if (session.resumeInMs !== null) await condition(() => isWoken, session.resumeInMs);
    else if (!isWoken) return;
    if (workflowInfo().historyLength > longestHistory || workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof webhookEndpoint>({ endpointId, idleMs: idle });
  }

  /** Waits for attempts that are under way, unless the endpoint is woken. */
  async function pause(ms: number): Promise<void> {
    if (ms > 0) await condition(() => isWoken, ms);
  }
}

function showAccount(id: string | null): void {
  if (id !== null && !workflowInfo().typedSearchAttributes.get(accountId))
    upsertSearchAttributes([{ key: accountId, value: id }]);
}
