import type { ComponentChildren, JSX } from 'preact';
import type { Visit } from '../page.ts';
import { Id, Money, Status, Text, Time } from '../parts/values.tsx';
import { Facts } from '../parts/table.tsx';

/** The fields of a noun: each is typed once, and is a column of its lists and a fact of its page. */

/** What people call a field, and its value. `null` is an empty cell of a list, and no fact at all. */
export type Field<T> = readonly [name: string, show: (record: T, visit: Visit) => ComponentChildren];

/** The fields of a noun, by the names that screens choose them by. */
export type Fields<T> = Readonly<Record<string, Field<T>>>;

/** A part of a page about one record. */
export type Part<T> = (record: T, visit: Visit) => ComponentChildren;

/** The same field under another name. */
export function named<T>(name: string, [, show]: Field<T>): Field<T> {
  return [name, show];
}

/** Shows fields of a record as facts: all of a noun, in their order, or those that are named. */
export function facts<T>(
  fields:
    | Fields<NoInfer<T>>
    | readonly Field<NoInfer<T>>[]
    | ((record: NoInfer<T>) => readonly Field<NoInfer<T>>[]),
): Part<T> {
  return (record, visit) => {
    const shown = typeof fields === 'function' ? fields(record) : Object.values(fields);
    return <Facts facts={shown.map(([name, show]) => [name, show(record, visit)])} />;
  };
}

/** Returns how a member of a record is shown. The member may be `null`, or not there. */
function member<Value>(show: (value: Value) => ComponentChildren) {
  return <Name extends string>(name: Name) =>
    (record: { readonly [N in Name]?: Value | null | undefined }): ComponentChildren => {
      const value = record[name];
      return value === null || value === undefined ? null : show(value);
    };
}

/** Text that somebody else has typed. */
export const text = member((value: string) => <Text value={value} />);

/** A word or a number of ours, as it is. */
export const plain = member((value: string | number) => value);

/** A word of ours such as `requested_by_customer`, with spaces. */
export const words = member((value: string) => value.replaceAll('_', ' '));

/** Something of ours that has no page. */
export const code = member((value: string) => <code>{value}</code>);

/** An id that leads nowhere from here: its page is another account's. */
export const bareId = member((value: string) => <code class="id">{value}</code>);

/** An id, which leads to its page. */
export const id = member((value: string) => <Id value={value} />);

export const status = member((value: string) => <Status value={value} />);

export const time = member((at: string) => <Time at={at} />);

/** A time that stands as a dash before there is one. */
export const timeOrDash =
  <Name extends string>(name: Name) =>
  (record: { readonly [N in Name]: string | null }): JSX.Element => <Time at={record[name]} />;

/** The id of the page itself, which is copied by a button. */
export const ownId: Field<{ id: string }> = ['Id', ({ id: value }) => <Id value={value} copy />];

export const money = ({ amount, currency }: { amount: number; currency: string }): JSX.Element => (
  <Money amount={amount} currency={currency} />
);
