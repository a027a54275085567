import { z } from 'zod';
import { defineAction } from '../action.ts';
import { Select } from '../parts/form.tsx';
import { toCreated } from '../parts/span.ts';
import { chargeFilters, filterNames, toChosen } from './charge-filters.ts';
import { FilterFields } from './filter-fields.tsx';

const formats = ['csv', 'ndjson'] as const;

const options = [
  { value: 'csv', label: 'CSV, for a spreadsheet' },
  { value: 'ndjson', label: 'NDJSON, a payment a line' },
];

/** Makes a file of the payments that a list shows: its filters become those of the export. */
export const exportAction = defineAction({
  path: '/payments/export',
  section: 'payments',
  scope: 'exports:write',
  title: () => 'Export payments',
  load: () => Promise.resolve(null),
  fields: (_none, values, _visit, faults) => (
    <>
      <Select
        label="Format"
        name="format"
        value={values['format']}
        fault={faults['format']}
        options={options}
      />
      <FilterFields values={values} faults={faults} />
    </>
  ),
  values: z.object({ format: z.enum(formats, 'Choose one of the list.').default('csv') }).and(chargeFilters),
  preview(_none, { format, ...filters }) {
    const created = toCreated(filters);
    const filter = {
      ...toChosen(filters),
      ...(Object.keys(created).length > 0 && { created }),
    };
    const given = filterNames
      .filter((name) => filters[name] !== '')
      .map((name) => `${name} ${filters[name]}`);
    return {
      sentences: [
        given.length === 0
          ? 'A file is made of all payments of the account.'
          : `A file is made of the payments with ${given.join(', ')}.`,
        'It holds every payment that exists when the export is accepted, and no later one.',
        'The next page shows its progress, and its SHA-256 and the link to it at the end.',
      ],
      call: { method: 'POST', path: '/v1/exports', body: { resource: 'charges', format, filter } },
      submit: 'Export',
    };
  },
  done: (answer) => ({ location: `/operations/${(answer as { id: string }).id}` }),
});
