import type { ComponentChildren, JSX } from 'preact';
import { defineRegion, type Page, type Visit } from '../page.ts';
import { Status, Time } from '../parts/values.tsx';
import { bareId, type Field, timeOrDash } from '../screens/fields.tsx';
import { verbs } from '../screens/items.tsx';
import { Records } from '../screens/lists.tsx';
import { verb } from '../screens/verbs.tsx';
import { latestEntries } from './audit.tsx';
import { numbersRegion } from './numbers.tsx';
import {
  type AccountName,
  type Difference,
  type OpenOperation,
  type Overview,
  read,
  type Reconciliation,
  type UnknownOutcome,
} from './operator-api.ts';
import { reconcileNow } from './reconciliations.tsx';
import { askNow } from './unknown-outcomes.tsx';
import { accountField, moneyField, reasonForm, workflowField } from './words.tsx';
import { Facts } from '../parts/table.tsx';

/** The service in one page: what needs a person, what mends itself, and the checks that say so. */

/** Rows of each kind; their lists have the rest. */
const limit = 10;

/** What is younger needs nobody, in seconds (the API's `needs_person`). */
const patienceSeconds = 600;

export const sweepNow = verb({
  path: '/service/sweep',
  scope: 'operator:write',
  title: 'Sweep now',
  form: reasonForm,
  says: () =>
    'The sweep runs now, and not within 30 s: it starts lost workflows again and repeats lost signals.',
  call: 'POST /operator/sweeps',
  body: (_none, chosen) => chosen,
});

const stateRegion = defineRegion<State>({
  name: 'state',
  main: true,
  live: 'always',
  load: loadState,
  view: (state, visit) => (
    <>
      <NeedsPerson state={state} visit={visit} />
      <Mends overview={state.overview} />
      <Checks overview={state.overview} />
      {verbs([reconcileNow, sweepNow])(null, visit)}
    </>
  ),
});

export const servicePage: Page = {
  path: '/service',
  section: 'service',
  scope: 'operator:read',
  title: () => 'Service',
  regions: () => [stateRegion, numbersRegion, latestEntries],
};

async function loadState(visit: Visit): Promise<State> {
  const [overview, undecided, operations] = await Promise.all([
    read(visit, '/operator/overview'),
    read(visit, '/operator/unknown-outcomes', { older_than: patienceSeconds, limit }),
    read(visit, '/operator/operations', { limit }),
  ]);
  const { reconciliation } = overview.checks;
  const isClean = overview.needs_person.differences === 0 || reconciliation === null;
  const differences = isClean
    ? []
    : (
        await read({ ...visit, id: reconciliation.id }, '/operator/reconciliations/{id}/differences', {
          repaired: 'false',
          limit,
        })
      ).data;
  return {
    overview,
    differences,
    undecided: undecided.data.filter((one) => one.needs_person),
    stuck: operations.data.filter(({ concern }) => concern === 'stuck'),
  };
}

/** What is open and ends by itself, with its list. */
function Mends({ overview }: { overview: Overview }): JSX.Element {
  const { mends_itself: open, dead_letters: letters } = overview;
  return (
    <>
      <h2>Mends itself</h2>
      <Facts
        facts={[
          [
            'Charges of unknown outcome',
            <Aged key="charges" of={open.unknown_charges} href="/service/unknown-outcomes?kind=charge" />,
          ],
          [
            'Refunds of unknown outcome',
            <Aged key="refunds" of={open.unknown_refunds} href="/service/unknown-outcomes?kind=refund" />,
          ],
          [
            'Webhook endpoints that fail',
            <>
              <Aged of={open.failing_endpoints} href="/service/webhooks" />, {open.parked_endpoints} parked
            </>,
          ],
          [
            'Open operations',
            <>
              <a href="/service/operations">{open.open_operations}</a>, {open.cancelling_operations}{' '}
              cancelling
            </>,
          ],
          [
            'Dead letters of 24 hours',
            <>
              <a href="/service/webhooks">{letters.count}</a> in {letters.accounts} accounts
            </>,
          ],
        ]}
      />
    </>
  );
}

type Backlog = Overview['mends_itself']['unknown_charges'];

/** A count with its list, and since when the oldest is so. */
function Aged({ of: { count, oldest }, href }: { of: Backlog; href: string }): JSX.Element {
  if (count === 0) return <>0</>;
  return (
    <>
      <a href={href}>{count}</a>, the oldest since <Time at={oldest} />
    </>
  );
}

/** When each check last ran. */
function Checks({ overview: { checks, accounts } }: { overview: Overview }): JSX.Element {
  return (
    <>
      <h2>Checks</h2>
      <Facts
        facts={[
          ['Swept', <LastRun key="sweep" check={checks.sweep} />],
          ['Retention', <LastRun key="retention" check={checks.retention} />],
          ['Reconciled', <LastReconciliation key="reconciled" run={checks.reconciliation} />],
          [
            'Accounts',
            <>
              <a href="/service/accounts">{accounts.active} active</a>, {accounts.disabled} disabled
            </>,
          ],
        ]}
      />
    </>
  );
}

function LastRun({ check }: { check: Overview['checks']['sweep'] }): JSX.Element {
  if (check === null) return <Status value="no run is known" tone="waiting" />;
  return (
    <>
      <Time at={check.ended} /> {check.complete ? null : <Status value="some steps failed" tone="bad" />}
    </>
  );
}

function LastReconciliation({ run }: { run: Reconciliation | null }): JSX.Element {
  if (run === null) return <Status value="never yet" tone="waiting" />;
  const rows = (run.charges_compared ?? 0) + (run.refunds_compared ?? 0);
  return (
    <>
      <Time at={run.ended} />:{' '}
      <a href={`/service/reconciliations/${run.id}`}>{rows.toLocaleString('en-GB')} rows</a>,{' '}
      {run.differences} differ, {run.repaired} repaired.{' '}
      {run.complete === false ? <Status value="not all was examined" tone="waiting" /> : null}{' '}
      {run.unread.length > 0 ? `Not read: ${run.unread.join(', ')}. ` : null}
      <a href="/service/reconciliations">All runs</a>
    </>
  );
}

/** Everything that the first part shows. */
interface State {
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
function NeedsPerson({ state, visit }: { state: State; visit: Visit }): JSX.Element {
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
