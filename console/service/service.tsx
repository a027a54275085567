import type { JSX } from 'preact';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { may } from '../session/scopes.ts';
import { auditRegion } from './audit.tsx';
import { Checks } from './checks.tsx';
import { Mends } from './mends.tsx';
import { NeedsPerson, type State } from './needs-person.tsx';
import { numbersRegion } from './numbers.tsx';
import {
  read,
  type Difference,
  type List,
  type OpenOperation,
  type Overview,
  type UnknownOutcome,
} from './operator-api.ts';

/** The service in one page: what needs a person, what mends itself, and the checks that say so. */

export const servicePage = definePage({
  path: '/service',
  section: 'service',
  scope: 'operator:read',
  title: () => 'Service',
  regions: () => [stateRegion, numbersRegion, auditRegion],
});

/** Rows of each kind; their lists have the rest. */
const shown = 10;

/** What is younger needs nobody, in seconds (the API's `needs_person`). */
const patienceSeconds = 600;

const stateRegion = defineRegion<State>({
  name: 'state',
  main: true,
  live: 'always',
  load: loadState,
  view: (state, visit) => <StateView state={state} visit={visit} />,
});

async function loadState(visit: Visit): Promise<State> {
  const [overview, undecided, operations] = await Promise.all([
    read<Overview>(visit, 'overview'),
    read<List<UnknownOutcome>>(visit, 'unknown-outcomes', { older_than: patienceSeconds, limit: shown }),
    read<List<OpenOperation>>(visit, 'operations', { limit: shown }),
  ]);
  const { reconciliation } = overview.checks;
  const isClean = overview.needs_person.differences === 0 || reconciliation === null;
  const differences = isClean
    ? []
    : (
        await read<List<Difference>>(visit, `reconciliations/${reconciliation.id}/differences`, {
          repaired: 'false',
          limit: shown,
        })
      ).data;
  return {
    overview,
    differences,
    undecided: undecided.data.filter((one) => one.needs_person),
    stuck: operations.data.filter(({ concern }) => concern === 'stuck'),
  };
}

function StateView({ state, visit }: { state: State; visit: Visit }): JSX.Element {
  return (
    <>
      <NeedsPerson state={state} visit={visit} />
      <Mends overview={state.overview} />
      <Checks overview={state.overview} canAct={may(visit.session, 'operator:write')} />
    </>
  );
}
