import type { ComponentChildren, JSX } from 'preact';
import type { Visit } from '../page.ts';
import { Status, Time } from '../parts/values.tsx';
import { bareId, timeOrDash, type Field } from '../screens/fields.tsx';
import { Records } from '../screens/lists.tsx';
import type { AccountName, Difference, OpenOperation, Overview, UnknownOutcome } from './operator-api.ts';
import { askNow } from './unknown-outcomes.tsx';
import { accountField, moneyField, workflowField } from './words.tsx';

/** Everything that the first part shows. */
export interface State {
  overview: Overview;
  /** Not repaired, of the last reconciliation. */
  differences: Difference[];
  /** Unknown outcomes that need a person. */
  undecided: UnknownOutcome[];
  stuck: OpenOperation[];
}

/** Something that does not end by itself. */
interface Need {
  key: string;
  href: string | null;
  what: string;
  of: string;
  account: AccountName | null;
  amount: number | null;
  currency: string | null;
  since: string | null;
  action: ComponentChildren;
  workflow: string | null;
}

const columns: readonly Field<Need>[] = [
  ['What', ({ what }) => <Status value={what} tone="bad" />],
  ['Of', bareId('of')],
  accountField,
  moneyField,
  ['Since', timeOrDash('since')],
  ['What to do', ({ action }) => action],
  workflowField,
];

/** What does not end by itself, each with its cause one click away. */
export function NeedsPerson({ state, visit }: { state: State; visit: Visit }): JSX.Element {
  const { differences, undecided, stuck_operations: stuck } = state.overview.needs_person;
  const count = differences + undecided.count + stuck.count;
  const needs = listNeeds(state, visit);
  return (
    <>
      <h2>Needs a person ({count})</h2>
      <Records<Need>
        caption="What needs a person"
        columns={columns}
        rowKey={({ key }) => key}
        href={({ href }) => href}
        found={{ data: needs }}
        empty={<NothingNeeded state={state} />}
        visit={visit}
      />
      {count > needs.length && needs.length > 0 ? (
        <p>
          The first {needs.length} are shown. <a href="/service/unknown-outcomes">Unknown outcomes</a>{' '}
          <a href="/service/reconciliations">Reconciliations</a> <a href="/service/operations">Operations</a>
        </p>
      ) : null}
    </>
  );
}

/** The time of each check is what "nothing" rests on. */
function NothingNeeded({ state }: { state: State }): JSX.Element {
  const { sweep, reconciliation } = state.overview.checks;
  return (
    <p>
      <Status value="Nothing needs a person" tone="good" />: swept <Time at={sweep?.ended ?? null} />,
      reconciled <Time at={reconciliation?.ended ?? null} />.
    </p>
  );
}

function listNeeds({ overview, differences, undecided, stuck }: State, visit: Visit): Need[] {
  const run = overview.checks.reconciliation;
  const runAddress = `/service/reconciliations/${run?.id ?? ''}`;
  return [
    ...differences.map((one) => ({
      ...one,
      key: `${one.resource} ${one.code}`,
      href: `${runAddress}#difference-${one.number}`,
      what: one.code,
      of: one.resource,
      since: run?.ended ?? null,
      action: <a href={runAddress}>What to do</a>,
    })),
    ...undecided.map((one) => {
      const href = `/service/unknown-outcomes/${one.id}`;
      const action = askNow.isOffered(one, visit) && (
        <a class="button" href={`${href}/ask`}>
          {askNow.label}
        </a>
      );
      return {
        ...one,
        key: one.id,
        href,
        what: `${one.kind} undecided`,
        of: one.id,
        since: one.created,
        action,
      };
    }),
    ...stuck.map((one) => ({
      ...one,
      key: one.id,
      href: null,
      what: `${one.type.replaceAll('_', ' ')} stuck`,
      of: one.id,
      amount: null,
      currency: null,
      since: one.progressed,
      action: 'Its workflow shows the failure of its step.',
    })),
  ];
}
