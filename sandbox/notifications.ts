import { createHmac } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Agent, request } from 'undici';

/** Waits before each try: about a minute in all, long enough for a supervised API to come back. */
const waitsMs = [0, 250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000];
const answerWithinMs = 5000;

/** One try of a notification. It is signed anew each time, since a signature is bound to its time. */
export interface SignedPost {
  body: string;
  headers: Record<string, string>;
}

/** Posts notifications to one URL. */
export interface Sender {
  /** Posts until it is answered with a 2xx or given up. Never rejects. */
  send(sign: () => SignedPost): Promise<void>;
  stop(): Promise<void>;
}

export interface Notifier {
  /**
   * Posts `{id, key}`, signed, until it is answered with a 2xx or given up. Never rejects.
   *
   * @param news `ageMs`: how much older than now the timestamp says it is. `isLate`: what was decided is so no more, of
   *   `subject`. (Default: of what has the key)
   */
  notify(key: string, news?: { ageMs?: number; isLate?: boolean; subject?: string }): Promise<void>;
  stop(): Promise<void>;
}

function sign(secret: string, body: string, ageMs: number): Record<string, string> {
  const timestamp = String(Math.floor((Date.now() - ageMs) / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return {
    'content-type': 'application/json',
    'processor-timestamp': timestamp,
    'processor-signature': `v1=${signature}`,
  };
}

export function createSender(options: { url: string }): Sender {
  const agent = new Agent({ connections: 8 });
  const stopping = new AbortController();
  // As many wait as have notifications that nobody acknowledges.
  setMaxListeners(0, stopping.signal);

  async function post({ body, headers }: SignedPost): Promise<boolean> {
    try {
      const answer = await request(options.url, {
        method: 'POST',
        dispatcher: agent,
        headers,
        body,
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(answerWithinMs)]),
      });
      await answer.body.dump();
      return answer.statusCode >= 200 && answer.statusCode < 300;
    } catch {
      return false;
    }
  }

  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        stopping.signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      stopping.signal.addEventListener('abort', end);
    });
  }

  return {
    async send(sign) {
      for (const waitMs of waitsMs) {
        if (waitMs > 0) await wait(waitMs);
        if (stopping.signal.aborted || (await post(sign()))) return;
      }
    },
    async stop() {
      stopping.abort();
      await agent.destroy();
    },
  };
}

/** Notifies in the sandbox's own dialect. */
export function createNotifier(options: { url: string; secret: string }): Notifier {
  const sender = createSender(options);
  return {
    notify(key, { ageMs = 0, isLate = false, subject = key } = {}) {
      // A repeated notification keeps its id: a key has one outcome, and at most one that comes later.
      const news = isLate ? { id: `late-${subject}`, key, late: true } : { id: `outcome-${key}`, key };
      const body = JSON.stringify(news);
      return sender.send(() => ({ body, headers: sign(options.secret, body, ageMs) }));
    },
    stop: () => sender.stop(),
  };
}
