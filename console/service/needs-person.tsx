import type { JSX } from 'preact';
import type { Visit } from '../page.ts';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Table, type Row } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { may } from '../session/scopes.ts';
import type { Difference, OpenOperation, Overview, Reconciliation, UnknownOutcome } from './operator-api.ts';
import { AccountLink, Workflow } from './words.tsx';

/** Everything that the first part shows. */
export interface State {
  overview: Overview;
  /** Not repaired, of the last reconciliation. */
  differences: Difference[];
  /** Unknown outcomes that need a person. */
  undecided: UnknownOutcome[];
  stuck: OpenOperation[];
}

/** What does not end by itself, each with its cause one click away. */
export function NeedsPerson({ state, visit }: { state: State; visit: Visit }): JSX.Element {
  const { overview, differences, undecided, stuck } = state;
  const { checks, needs_person: counts } = overview;
  const count = counts.differences + counts.undecided.count + counts.stuck_operations.count;
  const rows = [
    ...differences.map((one) => toDifferenceRow(one, checks.reconciliation, visit)),
    ...undecided.map((one) => toUnknownRow(one, visit)),
    ...stuck.map((one) => toOperationRow(one, visit)),
  ];
  return (
    <>
      <h2>Needs a person ({count})</h2>
      <Table
        caption="What needs a person"
        head={['What', 'Of', 'Account', 'Amount', 'Since', 'What to do', 'Workflow']}
        rows={rows}
        empty={<NothingNeeded state={state} />}
      />
      {count > rows.length && rows.length > 0 ? (
        <p>
          The first {rows.length} are shown. <a href="/service/unknown-outcomes">Unknown outcomes</a>{' '}
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

const bad = (words: string) => <Status key="what" value={words} tone="bad" />;

function toDifferenceRow(one: Difference, run: Reconciliation | null, visit: Visit): Row {
  const address = `/service/reconciliations/${run?.id ?? ''}`;
  return {
    key: `${one.resource} ${one.code}`,
    href: `${address}#difference-${one.number}`,
    cells: [
      bad(one.code),
      <code key="of" class="id">
        {one.resource}
      </code>,
      one.account && <AccountLink key="account" account={one.account} />,
      one.amount !== null && one.currency !== null && (
        <Money key="amount" amount={one.amount} currency={one.currency} />
      ),
      <Time key="since" at={run?.ended ?? null} />,
      <a key="do" href={address}>
        What to do
      </a>,
      one.workflow && <Workflow key="workflow" id={one.workflow} visit={visit} />,
    ],
  };
}

function toUnknownRow(one: UnknownOutcome, visit: Visit): Row {
  const address = `/service/unknown-outcomes/${one.id}`;
  return {
    key: one.id,
    href: address,
    cells: [
      bad(`${one.kind} undecided`),
      <code key="of" class="id">
        {one.id}
      </code>,
      <AccountLink key="account" account={one.account} />,
      <Money key="amount" amount={one.amount} currency={one.currency} />,
      <Time key="since" at={one.created} />,
      may(visit.session, 'operator:write') && (
        <a key="do" class="button" href={`${address}/ask`}>
          Ask now…
        </a>
      ),
      <Workflow key="workflow" id={one.workflow} visit={visit} />,
    ],
  };
}

function toOperationRow(one: OpenOperation, visit: Visit): Row {
  return {
    key: one.id,
    cells: [
      bad(`${one.type.replaceAll('_', ' ')} stuck`),
      <code key="of" class="id">
        {one.id}
      </code>,
      <AccountLink key="account" account={one.account} />,
      '',
      <Time key="since" at={one.progressed} />,
      'Its workflow shows the failure of its step.',
      <Workflow key="workflow" id={one.workflow} visit={visit} />,
    ],
  };
}
