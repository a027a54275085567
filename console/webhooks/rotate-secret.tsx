import { z } from 'zod';
import { defineAction } from '../action.ts';
import { Select, type Option } from '../parts/form.tsx';
import { showSecret } from './endpoint-form.tsx';

const overlaps: readonly Option[] = [
  { value: '86400', label: '24 hours' },
  { value: '3600', label: '1 hour' },
  { value: '604800', label: '7 days' },
  { value: '0', label: 'none: the current secret has leaked' },
];

/** Makes a new secret. Both sign for a while, so that receivers can change over. */
export const rotateSecret = defineAction({
  path: '/webhooks/{id}/rotate',
  section: 'webhooks',
  scope: 'webhooks:write',
  title: () => 'Rotate secret',
  load: ({ api, params }) => api.webhookEndpoints.get(params['id'] ?? ''),
  fields: (_endpoint, given, _visit, faults) => (
    <Select
      label="How long both secrets sign"
      name="overlap_seconds"
      value={given['overlap_seconds'] ?? '86400'}
      fault={faults['overlap_seconds']}
      options={overlaps}
    />
  ),
  values: z.object({
    overlap_seconds: z
      .enum(overlaps.map(({ value }) => value) as [string, ...string[]], 'must be one of the list')
      .transform(Number),
  }),
  preview: ({ id }, { overlap_seconds: overlap }) => ({
    sentences: [
      'A new secret is made. It is shown once, on the next page.',
      overlap === 0
        ? 'The current secret signs nothing any more: deliveries fail until your receiver has the new one.'
        : `For ${overlaps.find(({ value }) => value === String(overlap))?.label} each delivery has both signatures.`,
    ],
    call: {
      method: 'POST',
      path: `/v1/webhook-endpoints/${id}:rotate-secret`,
      body: { overlap_seconds: overlap },
    },
    submit: 'Make a new secret',
  }),
  done: (answer) => showSecret(answer),
});
