import type { JSX } from 'preact';
import { z } from 'zod';
import { formatMoney } from '#domain/money.ts';
import { defineAction, type Faults, type FormValues } from '../action.ts';
import { Field, Select } from '../parts/form.tsx';
import { readAccount } from './accounts.tsx';
import { findUnknown, type UnknownOutcome } from './operator-api.ts';

/** What operators do with the service. Each names a reason, which the audit keeps. */

const reason = z.string().trim().min(3, 'Say why, in a few words.').max(500, 'At most 500 characters.');

const reasonOnly = z.object({ reason });

function ReasonField({ values, faults }: { values: FormValues; faults: Faults }): JSX.Element {
  return (
    <Field
      label="Reason"
      name="reason"
      value={values['reason'] ?? ''}
      fault={faults['reason']}
      hint="The audit keeps it. No personal data."
      maxLength={500}
      isRequired
    />
  );
}

const reasonFields = (_data: unknown, values: FormValues, _visit: unknown, faults: Faults) => (
  <ReasonField values={values} faults={faults} />
);

const common = { section: 'service', scope: 'operator:write' } as const;

export const askNow = defineAction<UnknownOutcome | null, z.output<typeof reasonOnly>>({
  ...common,
  path: '/service/unknown-outcomes/{id}/ask',
  title: () => 'Ask now',
  load: (visit) => findUnknown(visit, visit.params['id'] ?? ''),
  fields: reasonFields,
  values: reasonOnly,
  preview: (unknown, body, { params }) => ({
    sentences: unknown
      ? [
          `The workflow of the ${unknown.kind} ${unknown.id} over ${formatMoney(unknown)} is told to ask the processor now.`,
          'It does what it would do at its next turn: no other money moves.',
        ]
      : ['Its outcome is known by now, so nothing will happen.'],
    call: { method: 'POST', path: `/operator/unknown-outcomes/${params['id']}:ask`, body },
    submit: 'Ask now',
  }),
  done: (_answer, { params }) => ({ location: `/service/unknown-outcomes/${params['id']}` }),
});

const reconciliation = z.object({ reason, repair: z.enum(['no', 'yes']).default('no') });

export const reconcileNow = defineAction<null, z.output<typeof reconciliation>>({
  ...common,
  path: '/service/reconcile',
  title: () => 'Reconcile',
  load: () => Promise.resolve(null),
  fields: (_none, values, _visit, faults) => (
    <>
      <Select
        label="Repair rows that are behind"
        name="repair"
        value={values['repair'] ?? 'no'}
        fault={faults['repair']}
        options={[
          { value: 'no', label: 'No, only compare' },
          { value: 'yes', label: 'Yes, their workflows look again' },
        ]}
      />
      <ReasonField values={values} faults={faults} />
    </>
  ),
  values: reconciliation,
  preview: (_none, { reason: why, repair }) => ({
    sentences: [
      'All charges and refunds are compared with the ledgers of their processors and with the workflows.',
      repair === 'yes'
        ? 'The workflows of rows that are behind are told to look again. That moves no money.'
        : 'Nothing is repaired.',
    ],
    call: {
      method: 'POST',
      path: '/operator/reconciliations',
      body: { reason: why, repair: repair === 'yes' },
    },
    submit: 'Reconcile',
  }),
  done: (answer) => ({ location: `/service/reconciliations/${(answer as { id: string }).id}` }),
});

export const sweepNow = defineAction<null, z.output<typeof reasonOnly>>({
  ...common,
  path: '/service/sweep',
  title: () => 'Sweep now',
  load: () => Promise.resolve(null),
  fields: reasonFields,
  values: reasonOnly,
  preview: (_none, body) => ({
    sentences: [
      'The sweep runs now, and not within 30 s: it starts lost workflows again and repeats lost signals.',
    ],
    call: { method: 'POST', path: '/operator/sweeps', body },
    submit: 'Sweep now',
  }),
  done: () => ({ location: '/service' }),
});

const statusAction = (verb: 'disable' | 'enable', sentences: string[]) =>
  defineAction<Awaited<ReturnType<typeof readAccount>>, z.output<typeof reasonOnly>>({
    ...common,
    path: `/service/accounts/{id}/${verb}`,
    title: () => (verb === 'disable' ? 'Disable account' : 'Enable account'),
    load: readAccount,
    fields: reasonFields,
    values: reasonOnly,
    preview: ({ id, name }, body) => ({
      sentences: [`The account ${name} (${id}) is ${verb}d, within 5 s.`, ...sentences],
      call: { method: 'POST', path: `/operator/accounts/${id}:${verb}`, body },
      submit: verb === 'disable' ? 'Disable account' : 'Enable account',
    }),
    done: (_answer, { params }) => ({ location: `/service/accounts/${params['id']}` }),
  });

export const disableAccount = statusAction('disable', [
  'Its requests are refused, nothing new is sent to a processor, and no webhook leaves.',
  'What is open at a processor is still asked for and voided. The account can be enabled again.',
]);

export const enableAccount = statusAction('enable', [
  'Its requests are taken again, and its operations and webhooks go on.',
]);
