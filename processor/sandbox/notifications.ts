import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { NotificationParser, ProcessorNotification } from '../port.ts';

/** The largest difference between the processor's clock and ours. */
const toleranceSeconds = 5 * 60;

const name = z.string().min(1).max(255);
const notification = z.object({ id: name.optional(), key: name, late: z.boolean().default(false) });

function isFresh(timestamp: string, nowMs: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(nowMs / 1000 - Number(timestamp)) <= toleranceSeconds;
}

function isSigned(
  secrets: readonly string[],
  timestamp: string,
  rawBody: Buffer,
  signature: string,
): boolean {
  const given = /^v1=([0-9a-f]{64})$/.exec(signature)?.[1];
  if (given === undefined) return false;
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest();
    return timingSafeEqual(Buffer.from(given, 'hex'), expected);
  });
}

/** A notification without an id of its own is identified by its signed content. */
function parseBody(timestamp: string, rawBody: Buffer): ProcessorNotification | null {
  try {
    const { id, key, late } = notification.parse(JSON.parse(rawBody.toString('utf8')));
    const known = id ?? createHash('sha256').update(`${timestamp}.`).update(rawBody).digest('hex');
    return { id: known, key, ...(late && { isLate: true }) };
  } catch {
    return null;
  }
}

/** Every notification of the sandbox is about something of ours. */
interface SandboxNotificationParser extends NotificationParser {
  parseNotification(
    headers: Record<string, string | undefined>,
    rawBody: Buffer,
  ): ProcessorNotification | null;
}

/**
 * Authenticates notifications of the sandbox processor: `processor-signature: v1=<hex HMAC-SHA256 of
 * "timestamp.body">`, `processor-timestamp` in unix seconds, 5 minutes of tolerance. Header names in lower
 * case, as node gives them. Any of `secrets` may have signed: there are two during a rotation.
 * A repeated notification is valid: it only says what to ask about.
 *
 * @param now in ms since 1970.
 */
export function createSandboxNotificationParser(
  secrets: readonly string[],
  now: () => number = Date.now,
): SandboxNotificationParser {
  return {
    parseNotification(headers, rawBody) {
      const timestamp = headers['processor-timestamp'];
      const signature = headers['processor-signature'];
      if (timestamp === undefined || signature === undefined) return null;
      if (!isFresh(timestamp, now()) || !isSigned(secrets, timestamp, rawBody, signature)) return null;
      return parseBody(timestamp, rawBody);
    },
  };
}
