import { createHmac, randomUUID } from 'node:crypto';
import type { Environment } from '../stack/environment.ts';

/**
 * Posts a notification to the API, signed as the processor does it.
 *
 * @param isLate it says that something that was confirmed has failed. (Default: it does not)
 */
export function sendNotification(
  env: Environment,
  key: string,
  id: string = randomUUID(),
  isLate = false,
): Promise<Response> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const body = JSON.stringify({ id, key, ...(isLate && { late: true }) });
  const mac = createHmac('sha256', env.stack.secrets.processorSecret).update(`${timestamp}.${body}`);
  return fetch(`${env.stack.apiUrl}/processor/notifications`, {
    method: 'POST',
    headers: { 'processor-timestamp': timestamp, 'processor-signature': `v1=${mac.digest('hex')}` },
    body,
  });
}

/** Notifications of a key that are stored, oldest first. */
export function storedNotifications(
  env: Environment,
  key: string,
): Promise<{ id: string; woken_at: Date | null; delivered_at: Date | null }[]> {
  return env.db('processor_notifications').where({ key }).orderBy('received_at');
}
