import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { NotificationParser } from './port.ts';

/** How far the processor's clock may be from ours. */
const toleranceSeconds = 5 * 60;

const notification = z.object({ key: z.string().min(1).max(255) });

function isFresh(timestamp: string): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds;
}

function isSigned(secret: string, timestamp: string, rawBody: Buffer, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest();
  const given = /^v1=([0-9a-f]{64})$/.exec(signature)?.[1];
  return given !== undefined && timingSafeEqual(Buffer.from(given, 'hex'), expected);
}

function parseBody(rawBody: Buffer): { key: string } | null {
  try {
    return notification.parse(JSON.parse(rawBody.toString('utf8')));
  } catch {
    return null;
  }
}

/**
 * Authenticates what the sandbox processor posts: `processor-signature: v1=<hex HMAC-SHA256 of
 * "timestamp.body">`, `processor-timestamp` in unix seconds, 5 minutes of tolerance. Header names in lower
 * case, as node gives them. A repeated notification is a valid one: it only says what to ask about.
 */
export function createSandboxNotificationParser(secret: string): NotificationParser {
  return {
    parseNotification(headers, rawBody) {
      const timestamp = headers['processor-timestamp'];
      const signature = headers['processor-signature'];
      if (timestamp === undefined || signature === undefined) return null;
      if (!isFresh(timestamp) || !isSigned(secret, timestamp, rawBody, signature)) return null;
      return parseBody(rawBody);
    },
  };
}
