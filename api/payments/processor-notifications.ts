import { z } from 'zod';
import { ProblemError } from '#domain/problems.ts';
import type { ApiDeps } from '../http/deps.ts';
import type { RawRoute } from '../http/raw-route.ts';

/** In bytes. A notification names a key and nothing else. */
const notificationLimit = 16 * 1024;

const notificationSchema = z.object({
  id: z.string().optional().describe('The id of the notification. A repeat has the same id.'),
  key: z.string().describe('The key under which we sent the charge or refund.'),
});

/**
 * The route by which the processor says that a charge or a refund has changed. The signature covers the raw bytes. The
 * change itself is asked for, never believed. The answer comes once the notification is stored, so it is not lost while
 * Temporal is away.
 */
export function processorNotificationRoutes(
  deps: Pick<ApiDeps, 'notifications' | 'onProcessorNotification'>,
): RawRoute[] {
  return [
    {
      method: 'POST',
      path: '/processor/notifications',
      access: 'public',
      summary: 'Notify of a change of a charge or refund',
      callers: 'processor',
      body: { type: 'application/json', schema: notificationSchema },
      responses: { 204: { description: 'The notification is stored' } },
      problems: ['invalid_token', 'payload_too_large'],
      async handle(request) {
        const bytes = await request.readBody(notificationLimit);
        const notification = deps.notifications.parseNotification(request.headers, bytes);
        if (!notification) {
          throw new ProblemError('invalid_token', {
            detail: 'The signature of the notification is missing, wrong or too old.',
            headers: { 'WWW-Authenticate': 'Signature realm="processor"' },
          });
        }
        if (notification !== 'ignored') await deps.onProcessorNotification(notification);
        return { status: 204 };
      },
    },
  ];
}
