import { z } from 'zod';
import { ProblemError } from '#domain/problems.ts';
import type { ApiDeps } from '../http/deps.ts';
import type { RawRoute } from '../http/raw-route.ts';

/** Bytes; a notification names a key and no more. */
const notificationLimit = 16 * 1024;

const notificationSchema = z.object({
  id: z.string().optional().describe('The notification’s own id; one that is told again keeps it.'),
  key: z.string().describe('The key that we sent it under.'),
});

/**
 * POST /processor/notifications: the processor has news. The signature covers the raw bytes; what the news
 * are is asked for, never believed. It is answered once it is stored: it is not lost while Temporal is away.
 */
export function processorNotificationRoutes(
  deps: Pick<ApiDeps, 'notifications' | 'onProcessorNotification'>,
): RawRoute[] {
  return [
    {
      method: 'POST',
      path: '/processor/notifications',
      access: 'public',
      summary: 'The processor has news of a charge or refund',
      callers: 'processor',
      body: { type: 'application/json', schema: notificationSchema },
      responses: { 204: { description: 'It was heard, and is not forgotten' } },
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
        await deps.onProcessorNotification(notification);
        return { status: 204 };
      },
    },
  ];
}
