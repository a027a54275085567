import { z } from 'zod';
import { isId } from '#domain/ids.ts';
import { ProblemError } from '#domain/problems.ts';
import type { ApiDeps } from '../http/deps.ts';
import { unavailableWithoutDatabase } from '../http/outage.ts';
import type { RawRequest, RawRoute } from '../http/raw-route.ts';
import type { Answer } from '../http/route.ts';

/** In bytes. A notification names a key and nothing else. */
const notificationLimit = 16 * 1024;

/** In bytes: other processors tell the whole object. */
const foreignLimit = 256 * 1024;

const notificationSchema = z
  .object({
    id: z.string().optional().describe('The id of the notification. A repeat has the same id.'),
    key: z.string().describe('The key under which we sent the charge or refund.'),
  })
  .meta({ id: 'ProcessorNotification', example: { id: 'ntf_1', key: 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D' } });

/**
 * The route by which the processor says that a charge or a refund has changed. The signature covers the raw bytes. The
 * change itself is asked for, never believed. The answer comes once the notification is stored, so it is not lost while
 * Temporal is away.
 */
export function processorNotificationRoutes(
  deps: Pick<ApiDeps, 'processors' | 'onProcessorNotification'>,
): RawRoute[] {
  return [
    {
      method: 'POST',
      path: '/processor/notifications',
      operationId: 'notifyOfPayment',
      summary: 'Notify of a change of a charge or refund, by the built-in processor',
      description:
        'The signature covers the raw body. The change itself is asked for, never believed. A repeat does no harm.',
      body: { type: 'application/json', schema: notificationSchema },
      ...notified,
      handle: (request) => take(deps, request, null),
    },
    {
      method: 'POST',
      path: '/processor/notifications/{processor}',
      operationId: 'notifyOfProcessorPayment',
      summary: 'Notify of a change of a charge or refund, by a processor that an operator registered',
      description:
        'The processor signs as its adapter knows. The change itself is asked for, never believed. A repeat does no harm.',
      body: {
        type: 'application/json',
        schema: z
          .looseObject({})
          .meta({ id: 'ForeignNotification', description: 'As the processor writes it.' }),
      },
      ...notified,
      problems: [...notified.problems, 'not_found'],
      handle(request) {
        const id = request.params['processor'] ?? '';
        if (!isId('processor', id)) throw new ProblemError('not_found');
        return take(deps, request, id);
      },
    },
  ];
}

const notified = {
  access: 'public',
  callers: 'processor',
  tag: 'processors',
  isForOperators: true,
  responses: { 204: { description: 'The notification is stored, or is about nothing of ours' } },
  problems: ['invalid_token', 'payload_too_large'],
} satisfies Partial<RawRoute>;

type NotificationDeps = Pick<ApiDeps, 'processors' | 'onProcessorNotification'>;

async function take(
  { processors, onProcessorNotification }: NotificationDeps,
  request: RawRequest,
  processorId: string | null,
): Promise<Answer> {
  const bytes = await request.readBody(processorId === null ? notificationLimit : foreignLimit);
  const notification = await processors
    .parseNotification(processorId, request.headers, bytes)
    .catch(unavailableWithoutDatabase);
  if (!notification) {
    throw new ProblemError('invalid_token', {
      detail: 'The signature of the notification is missing, wrong or too old.',
      headers: { 'WWW-Authenticate': 'Signature realm="processor"' },
    });
  }
  if (notification !== 'ignored') await onProcessorNotification(notification);
  return { status: 204 };
}
