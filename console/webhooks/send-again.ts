import { z } from 'zod';
import { defineAction } from '../action.ts';
import { showInvisible } from '../parts/text.tsx';

/** Sends one event: a test, or what a receiver has missed. */

const toDelivery = (answer: unknown) => ({
  location: `/webhooks/deliveries/${(answer as { id: string }).id}`,
});

export const testEndpoint = defineAction({
  path: '/webhooks/{id}/test',
  section: 'webhooks',
  scope: 'webhooks:replay',
  title: () => 'Test endpoint',
  load: ({ api, params }) => api.webhookEndpoints.get(params['id'] ?? ''),
  fields: () => null,
  values: z.object({}),
  preview: ({ id, url }) => ({
    sentences: [
      `An event endpoint.test is sent to ${showInvisible(url)}, and to no other endpoint.`,
      'It shows the endpoint itself, and is tried again like any other event if it fails.',
    ],
    call: { method: 'POST', path: `/v1/webhook-endpoints/${id}:test` },
    submit: 'Send the test event',
  }),
  done: toDelivery,
});

export const replayDelivery = defineAction({
  path: '/webhooks/deliveries/{id}/replay',
  section: 'webhooks',
  scope: 'webhooks:replay',
  title: () => 'Replay delivery',
  async load({ api, params }) {
    const delivery = await api.webhookDeliveries.get(params['id'] ?? '');
    return { delivery, endpoint: await api.webhookEndpoints.get(delivery.endpoint) };
  },
  fields: () => null,
  values: z.object({}),
  preview: ({ delivery: { id, event, type, status }, endpoint }) => ({
    sentences: [
      `The event ${event} (${type}) is sent to ${showInvisible(endpoint.url)} again, as a delivery of its own.`,
      status === 'delivered'
        ? 'The receiver has answered it with 2xx before: it gets the same id, and can skip it.'
        : 'It keeps its id, so a receiver that has it already can skip it.',
    ],
    call: { method: 'POST', path: `/v1/webhook-deliveries/${id}:replay` },
    submit: 'Send it again',
  }),
  done: toDelivery,
});
