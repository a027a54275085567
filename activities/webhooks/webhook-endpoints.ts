import { randomUUID } from 'node:crypto';
import type { Database } from '#db/knex.ts';
import { cancelDeliveries } from '#db/webhooks/webhook-deliveries.ts';
import { nextDueInMs, restTurn, takeTurn, type Turn } from '#db/webhooks/webhook-turns.ts';
import type { Dispatcher } from '#webhooks/dispatcher.ts';
import type { TurnEnd } from '#webhooks/turn.ts';
import { disableEndpoint } from '#webhooks/disable.ts';

export interface WebhookEndpointActivityDeps {
  db: Database;
  dispatcher: Dispatcher;
  /** Without anything to deliver for so long, an endpoint sleeps. */
  lingerMs: number;
}

/** How long a turn delivers, and listens for more. */
const turnMs = 10_000;

/**
 * An endpoint whose attempts outlived its turn is woken when they have ended, one after another (`Waker.wakeLater`). It
 * looks by itself only for the case that their process was lost: so much later than they can end, and not all at once.
 */
const looksAgainMs = () => 5_000 + Math.random() * 10_000;

/** Cancelled a statement: small, so that its locks are short. */
const cancelBatch = 1_000;

/** What came of a turn. */
export interface TurnResult {
  /** `on_turn`: the endpoint stays awake. `asleep`: whoever commits a delivery wakes it. */
  state: 'on_turn' | 'asleep';
  /** When the next turn begins, unless a signal comes before; `null`: only by one. */
  resumeInMs: number | null;
  /** For how long there was nothing to do. */
  idleMs: number;
  /** How many attempts were made; for operators. */
  attempts: number;
  accountId: string | null;
}

export type WebhookEndpointActivities = ReturnType<typeof createWebhookEndpointActivities>;

export function createWebhookEndpointActivities({ db, dispatcher, lingerMs }: WebhookEndpointActivityDeps) {
  /** Cancels what an endpoint cannot make any more. `false`: the turn is over before that was done. */
  async function cancelAll(turn: Turn, until: number): Promise<boolean> {
    while (Date.now() < until) {
      if (await cancelDeliveries(db, turn.endpointId, cancelBatch)) return true;
    }
    return false;
  }

  async function turnOf(turn: Turn, idleMs: number): Promise<TurnResult> {
    const startedAt = Date.now();
    const until = startedAt + turnMs;
    if (turn.status === 'disabled' || turn.isCancelling) {
      if (!(await cancelAll(turn, until))) return onTurn(turn);
      return turn.status === 'disabled' ? rest(turn, 0) : onTurn(turn);
    }
    if (turn.parkedForMs > 0) return rest(turn, 0);
    const end = await dispatcher.deliver(turn, { until, restAt: startedAt + lingerMs - idleMs });
    if (end.why === 'failed') throw end.error;
    return afterTurn(turn, end, startedAt - idleMs);
  }

  async function afterTurn(turn: Turn, end: TurnEnd, idleSince: number): Promise<TurnResult> {
    const { attempts } = end;
    if (end.disable) {
      await disableEndpoint(db, turn, end.disable);
      return onTurn(turn, { attempts });
    }
    if (end.why === 'idle' || end.why === 'parked') return rest(turn, attempts);
    // Idle all the time: the time before this turn counts.
    const since = attempts === 0 ? idleSince : end.idleSince;
    const idleMs = end.idleSince === null || since === null ? 0 : Date.now() - since;
    const resumeInMs = end.underWayMs === 0 ? 0 : Math.round(end.underWayMs + looksAgainMs());
    return onTurn(turn, { attempts, idleMs, resumeInMs });
  }

  /** The flag is cleared first and what is due is read last, so that no commit falls between the two. */
  async function rest(turn: Turn, attempts: number): Promise<TurnResult> {
    if (!(await restTurn(db, turn))) return onTurn(turn, { attempts });
    const dueInMs = turn.status === 'disabled' ? null : await nextDueInMs(db, turn.endpointId);
    if (dueInMs === 0) return onTurn(turn, { attempts });
    return { state: 'asleep', resumeInMs: dueInMs, idleMs: 0, attempts, accountId: turn.accountId };
  }

  return {
    /**
     * One turn of an endpoint: delivers what is due, listens for more, and says when to look again. Safe to run twice:
     * the later one takes the endpoint, and the earlier one reads nothing more.
     */
    async deliverDue(input: { endpointId: string; idleMs: number }): Promise<TurnResult> {
      const turn = await takeTurn(db, input.endpointId, randomUUID());
      if (!turn) return { state: 'asleep', resumeInMs: null, idleMs: 0, attempts: 0, accountId: null };
      return turnOf(turn, input.idleMs);
    },
  };
}

function onTurn(turn: Turn, of: Partial<TurnResult> = {}): TurnResult {
  return { state: 'on_turn', resumeInMs: 0, idleMs: 0, attempts: 0, accountId: turn.accountId, ...of };
}
