import { z } from 'zod';
import { isId } from '#domain/ids.ts';
import { ProblemError, type ProblemCode } from '#domain/problems.ts';
import type { ApiDeps } from '../http/deps.ts';
import { unavailableWithoutDatabase } from '../http/outage.ts';
import { defineRoute, type Answer, type Route, type StrangerRequest } from '../http/route.ts';

/** In bytes: other processors tell the whole object, ours a key and nothing else. */
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
): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/processor/notifications',
      operationId: 'notifyOfPayment',
      summary: 'Notify of a change of a charge or refund, by the built-in processor',
      description:
        'The signature covers the raw body. The change itself is asked for, never believed. A repeat does no harm.',
      body: notificationSchema,
      ...notified,
      handle: (request) => take(deps, request, null),
    }),
    defineRoute({
      method: 'POST',
      path: '/processor/notifications/{processor}',
      operationId: 'notifyOfProcessorPayment',
      summary: 'Notify of a change of a charge or refund, by a processor that an operator registered',
      description:
        'The processor signs as its adapter knows. The change itself is asked for, never believed. A repeat does no harm.',
      params: z.object({ processor: z.string().describe('The id of the processor, `prc_…`.') }),
      bodyLimit: foreignLimit,
      body: z.looseObject({}).meta({ id: 'ForeignNotification', description: 'As the processor writes it.' }),
      ...notified,
      handle(request) {
        const { processor: id } = request.params;
        if (!isId('processor', id)) throw new ProblemError('not_found');
        return take(deps, request, id);
      },
    }),
  ];
}

const notified = {
  caller: 'processor' as const,
  responses: { 204: { description: 'The notification is stored, or is about nothing of ours' } },
  problems: ['invalid_token', 'payload_too_large'] satisfies ProblemCode[],
};

type NotificationDeps = Pick<ApiDeps, 'processors' | 'onProcessorNotification'>;

async function take(
  { processors, onProcessorNotification }: NotificationDeps,
  { headers, body }: StrangerRequest<unknown, Buffer>,
  processorId: string | null,
): Promise<Answer<204>> {
  const notification = await processors
    .parseNotification(processorId, headers, body)
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
