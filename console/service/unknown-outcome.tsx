import type { JSX } from 'preact';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Facts } from '../parts/facts.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { may } from '../session/scopes.ts';
import { findUnknown, read, type Resource, type UnknownOutcome } from './operator-api.ts';
import { AccountLink, toEndWords, toNextWords, Workflow } from './words.tsx';

/** Why the outcome of one charge or refund is not known, and what its workflow waits for. */

export const unknownOutcomePage = definePage({
  path: '/service/unknown-outcomes/{id}',
  section: 'service',
  scope: 'operator:read',
  title: () => 'Unknown outcome',
  regions: () => [outcomeRegion, runRegion],
});

interface Outcome {
  resource: Resource;
  /** `null`: it is known by now. */
  unknown: UnknownOutcome | null;
}

const outcomeRegion = defineRegion<Outcome>({
  name: 'outcome',
  main: true,
  live: 'always',
  load: loadOutcome,
  isSettled: ({ unknown }) => unknown === null,
  view: (outcome, visit) => <OutcomeView outcome={outcome} visit={visit} />,
});

async function loadOutcome(visit: Visit): Promise<Outcome> {
  const id = visit.params['id'] ?? '';
  const [resource, unknown] = await Promise.all([
    read<Resource>(visit, `resources/${id}`),
    findUnknown(visit, id),
  ]);
  return { resource, unknown };
}

function OutcomeView({
  outcome: { resource, unknown },
  visit,
}: {
  outcome: Outcome;
  visit: Visit;
}): JSX.Element {
  if (unknown === null) {
    return (
      <p>
        <Status value={resource.status} />: the outcome of <code class="id">{resource.id}</code> is known.
      </p>
    );
  }
  const { next, fault } = unknown;
  const code = fault ?? 'none';
  return (
    <>
      <Facts
        facts={[
          [unknown.kind === 'charge' ? 'Charge' : 'Refund', <code key="id">{unknown.id}</code>],
          ['Account', <AccountLink key="account" account={unknown.account} />],
          ['Amount', <Money key="amount" amount={unknown.amount} currency={unknown.currency} />],
          ['Status', <Status key="status" value={unknown.status} />],
          ['Began', <Time key="began" at={unknown.created} />],
          [
            'Last answer of the processor',
            fault === null ? (
              'It took it, or was not asked yet.'
            ) : (
              <a key="fault" href={`${visit.links.apiUrl}/problems/${code}`}>
                {code}
              </a>
            ),
          ],
          ['What happens next', toNextWords(next.does)],
          [
            'At the latest',
            next.until && next.ends_in && (
              <>
                <Time at={next.until} />: it is {toEndWords(next.ends_in)}
              </>
            ),
          ],
          ['Workflow', <Workflow key="workflow" id={unknown.workflow} visit={visit} />],
        ]}
      />
      {may(visit.session, 'operator:write') ? (
        <p class="buttons">
          <a class="button" href={`/service/unknown-outcomes/${unknown.id}/ask`}>
            Ask now…
          </a>
        </p>
      ) : null}
    </>
  );
}

const runRegion = defineRegion<Resource>({
  name: 'run',
  live: 'always',
  load: (visit) => read<Resource>(visit, `resources/${visit.params['id'] ?? ''}`),
  isSettled: ({ run }) => run !== null && run.status !== 'RUNNING',
  view: (resource) => <RunView resource={resource} />,
});

function RunView({ resource: { run } }: { resource: Resource }): JSX.Element {
  return (
    <>
      <h2>Its workflow</h2>
      {run === null ? (
        <p>It has no run, or Temporal did not say. The sweep starts what is open and has none.</p>
      ) : (
        <>
          <Facts
            facts={[
              ['Run', <code key="run">{run.run}</code>],
              ['Status', <Status key="status" value={run.status.toLowerCase()} />],
              ['Began', <Time key="began" at={run.started} />],
              ['Events in its history', run.events],
            ]}
          />
          <Table
            caption="Steps that it waits for"
            head={['Step', 'Attempt', 'Next attempt', 'Last failure']}
            rows={run.pending.map((step) => ({
              key: step.type,
              cells: [
                step.type,
                step.attempt,
                <Time key="next" at={step.next_attempt} />,
                step.last_failure && <Text key="failure" value={step.last_failure} />,
              ],
            }))}
            empty={<p>It waits for no step: for time to pass, a notification, or a command.</p>}
          />
        </>
      )}
    </>
  );
}
