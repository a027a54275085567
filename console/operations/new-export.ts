import { z } from 'zod';
import { eventTypes } from '#domain/events.ts';
import { exportScopes } from '#domain/operations/exports.ts';
import { isOrdered, spanEnd, spanFieldType, toCreated } from '../parts/span.ts';
import { toOptions } from '../parts/form.tsx';
import { toMade, verb } from '../screens/verbs.tsx';

/** An export of charges, refunds, events or entries of the audit to a file. "Export these…" of the payments narrows one further. */

const resources = ['charges', 'refunds', 'events', 'audit_entries'] as const;

/** What people call them. */
const labels: Readonly<Record<(typeof resources)[number], string>> = {
  charges: 'charges',
  refunds: 'refunds',
  events: 'events',
  audit_entries: 'entries of the audit',
};

const end = spanEnd('must be a day, such as 2026-03-01');

/** The filters that not all resources have, and what is said of the others. */
const narrow: [name: 'status' | 'charge' | 'type', of: readonly string[], message: string][] = [
  ['status', ['charges', 'refunds'], 'must be empty: only charges and refunds have a status'],
  ['charge', ['refunds'], 'must be empty: only refunds are those of a charge'],
  ['type', ['events'], 'must be any: only events have a type'],
];

export const newExport = verb({
  path: '/operations/new-export',
  scope: 'exports:write',
  title: 'New export',
  load: async ({ session }) => resources.filter((resource) => session.scopes.has(exportScopes[resource])),
  form: (readable) => ({
    resource: {
      label: 'What',
      options: readable.map((value) => ({ value, label: labels[value] })),
      is: z.enum(resources, 'must be one of the list').default('charges'),
    },
    format: {
      label: 'Format',
      options: [
        { value: 'csv', label: 'CSV, for spreadsheets' },
        { value: 'ndjson', label: 'NDJSON: one JSON object a line' },
      ],
      is: z.enum(['csv', 'ndjson'], 'must be CSV or NDJSON').default('csv'),
    },
    from: { label: 'From', type: 'date', hint: 'The first day, in UTC. Empty: from the beginning.', is: end },
    to: { label: 'To', type: 'date', hint: 'The last day, in UTC. Empty: until now.', is: end },
    status: {
      label: 'Status',
      hint: 'Of charges and refunds, such as succeeded or processed. Empty: all.',
      maxLength: 40,
      is: z.string().trim().max(40).default(''),
    },
    charge: {
      label: 'Charge',
      hint: 'Of refunds: the id of their charge, ch_…. Empty: all.',
      maxLength: 29,
      is: z
        .union([z.literal(''), z.string().regex(/^ch_[0-9A-Z]{26}$/)], 'must be the id of a charge, ch_…')
        .default(''),
    },
    type: {
      label: 'Type',
      hint: 'Of events.',
      options: toOptions(eventTypes, 'any'),
      is: z.union([z.literal(''), z.enum(eventTypes)], 'must be one of the list').default(''),
    },
  }),
  check(chosen, issues) {
    const refuse = (name: string, message: string) =>
      issues.addIssue({ code: 'custom', path: [name], message });
    if (!isOrdered(chosen)) refuse('to', 'must not be before the first day');
    for (const [name, of, message] of narrow)
      if (chosen[name] !== '' && !of.includes(chosen.resource)) refuse(name, message);
  },
  says(_readable, { resource, format, from, to, status, charge, type }) {
    const kind = type === '' ? labels[resource] : `events of the type ${type}`;
    const owned = charge === '' ? kind : `${kind} of ${charge}`;
    const rows = status === '' ? `All ${owned}` : `The ${owned} that are ${status}`;
    const bounds = [from && `from ${from}`, to && describeEnd(to)].filter(Boolean).join(' ');
    return [
      `${rows} ${bounds === '' ? 'there are now' : `made ${bounds}`} are written to a ${format === 'csv' ? 'CSV' : 'NDJSON'} file.`,
      ...(resource === 'events' ? ['Events are kept for 30 days, so older ones are not in it.'] : []),
      ...(resource === 'audit_entries' ? ['Entries are kept for a year, so older ones are not in it.'] : []),
      'The file is kept for 7 days. Its SHA-256 is shown beside it.',
    ];
  },
  call: 'POST /v1/exports',
  // The last day is part of the range.
  body(_readable, { resource, format, from, to, status, charge, type }) {
    const created = toCreated({ from, to });
    const filter = {
      ...(status && { status }),
      ...(charge && { charge }),
      ...(type && { type }),
      ...(Object.keys(created).length > 0 && { created }),
    };
    return { resource, format, ...(Object.keys(filter).length > 0 && { filter }) };
  },
  submit: (_readable, { resource }) => `Export ${labels[resource]}`,
  done: toMade('/operations/'),
});

function describeEnd(to: string): string {
  return spanFieldType(to) === 'date' ? `to the end of ${to} (UTC)` : `before ${to}`;
}
