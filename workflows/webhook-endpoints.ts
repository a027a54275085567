import {
  condition,
  continueAsNew,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { delivering } from './proxies.ts';
import { accountId } from '#temporal/search-attributes.ts';
import { wakeSignal } from '#temporal/messages.ts';
import type { WebhookEndpointInput } from '#temporal/webhook-endpoints.ts';

/** A history of so many events goes on in a new one: an endpoint that fails for days is no burden to replay. */
const longestHistory = 400;

/**
 * Delivers for one endpoint, turn after turn, for as long as there is something to deliver or to wait for. Which rows
 * those are stands in Postgres: each turn reads them anew, so that nothing is lost with a run.
 */
export async function webhookEndpoint({ endpointId, idleMs = 0 }: WebhookEndpointInput): Promise<void> {
  let isWoken = false;
  setHandler(wakeSignal, () => {
    isWoken = true;
  });
  let idle = idleMs;
  for (;;) {
    isWoken = false;
    const turn = await delivering.deliverDue({ endpointId, idleMs: idle });
    idle = turn.idleMs;
    showAccount(turn.accountId);
    if (turn.state === 'on_turn') await pause(turn.resumeInMs ?? 0);
    else if (turn.resumeInMs !== null) await condition(() => isWoken, turn.resumeInMs);
    else if (!isWoken) return;
    if (workflowInfo().historyLength > longestHistory || workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof webhookEndpoint>({ endpointId, idleMs: idle });
  }

  /** What is under way ends within it, or says so before. */
  async function pause(ms: number): Promise<void> {
    if (ms > 0) await condition(() => isWoken, ms);
  }
}

function showAccount(id: string | null): void {
  if (id !== null && !workflowInfo().typedSearchAttributes.get(accountId))
    upsertSearchAttributes([{ key: accountId, value: id }]);
}
