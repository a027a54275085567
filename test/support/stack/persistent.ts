import { eventually } from '../eventually.ts';
import type { HttpAnswer } from '../resources/merchant.ts';

/**
 * Sends a request again until it has an answer that says what happened, as a client should: lost connections,
 * 5xx and "in progress" are no answers. The key of `send` must be the same each time.
 */
export function untilAnswered<Body>(
  what: string,
  send: () => Promise<HttpAnswer<Body>>,
): Promise<HttpAnswer<Body>> {
  return eventually(what, async () => {
    const answer = await send();
    if (isTransient(answer)) throw new Error(`${answer.status} ${answer.text}`);
    return answer;
  });
}

function isTransient({ status, body }: HttpAnswer): boolean {
  const code = (body as { code?: string } | null)?.code;
  return status >= 500 || code === 'idempotency_key_in_progress';
}
