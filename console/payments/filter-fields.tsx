import type { JSX } from 'preact';
import { chargeStatuses } from '#domain/charges.ts';
import type { Faults, FormValues } from '../action.ts';
import { Field, Select } from '../parts/form.tsx';
import { spanFieldType } from '../parts/span.ts';

const statuses = [
  { value: '', label: 'any' },
  ...chargeStatuses.map((status) => ({ value: status, label: status.replaceAll('_', ' ') })),
];

/** The fields that choose payments: of the list, and of an export. */
export function FilterFields({ values, faults }: { values: FormValues; faults: Faults }): JSX.Element {
  const of = (name: string) => ({ name, value: values[name], fault: faults[name] });
  return (
    <>
      <Select {...of('status')} label="Status" options={statuses} />
      <Field {...of('reference')} label="Reference" maxLength={64} />
      <Field {...of('from')} label="From (UTC)" type={spanFieldType(values['from'])} />
      <Field {...of('to')} label="To (UTC)" type={spanFieldType(values['to'])} />
      <Field {...of('amount')} label="Amount" inputMode="decimal" maxLength={16} />
      <Field {...of('currency')} label="Currency" maxLength={3} />
      <Field {...of('customer')} label="Customer" maxLength={30} />
    </>
  );
}
