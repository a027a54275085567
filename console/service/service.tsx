import type { JSX } from 'preact';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Facts } from '../parts/facts.tsx';
import { Status, Time } from '../parts/values.tsx';
import { verbs } from '../screens/items.tsx';
import { verb } from '../screens/verbs.tsx';
import { latestEntries } from './audit.tsx';
import { NeedsPerson, type State } from './needs-person.tsx';
import { numbersRegion } from './numbers.tsx';
import { read, type Overview, type Reconciliation } from './operator-api.ts';
import { reconcileNow } from './reconciliations.tsx';
import { reasonForm } from './words.tsx';

/** The service in one page: what needs a person, what mends itself, and the checks that say so. */

/** Rows of each kind; their lists have the rest. */
const limit = 10;

/** What is younger needs nobody, in seconds (the API's `needs_person`). */
const patienceSeconds = 600;

export const sweepNow = verb({
  path: '/service/sweep',
  scope: 'operator:write',
  title: 'Sweep now',
  label: 'Sweep now…',
  form: reasonForm,
  says: () =>
    'The sweep runs now, and not within 30 s: it starts lost workflows again and repeats lost signals.',
  call: 'POST /operator/sweeps',
  body: (_none, chosen) => chosen,
  submit: 'Sweep now',
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

export const servicePage = definePage({
  path: '/service',
  section: 'service',
  scope: 'operator:read',
  title: () => 'Service',
  regions: () => [stateRegion, numbersRegion, latestEntries],
});

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
