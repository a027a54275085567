import type { JSX } from 'preact';
import { formatMoney } from '#domain/money.ts';
import { defineRegion, type Visit } from '../page.ts';
import { Status, Time } from '../parts/values.tsx';
import {
  bareId,
  code,
  facts,
  named,
  plain,
  status,
  text,
  time,
  timeOrDash,
  type Fields,
} from '../screens/fields.tsx';
import { toOptions } from '../parts/form.tsx';
import { itemScreen, verbs } from '../screens/items.tsx';
import { listScreen, Records } from '../screens/lists.tsx';
import { verb } from '../screens/verbs.tsx';
import { findUnknown, read, type QueryTo, type Resource, type UnknownOutcome } from './operator-api.ts';
import { accountField, moneyField, reasonForm, toEndWords, toNextWords, workflowField } from './words.tsx';
import { Facts } from '../parts/table.tsx';

/** Charges and refunds of unknown outcome, of all accounts, and why one of them is not known. */

const unknown = {
  id: ['Payment', bareId('id')],
  kind: [
    'Kind',
    ({ kind, needs_person: isNeeded }) =>
      isNeeded ? <Status value={`${kind} undecided`} tone="bad" /> : kind,
  ],
  status: ['Status', status('status')],
  began: ['Began', time('created')],
  fault: [
    'Last answer of the processor',
    ({ fault }, { links }) =>
      fault === null ? (
        'It took it, or was not asked yet.'
      ) : (
        <a href={`${links.apiUrl}/problems/${fault}`}>{fault}</a>
      ),
  ],
  next: ['What happens next', ({ next }) => toNextWords(next.does)],
  until: ['Until', ({ next }) => <Time at={next.until} />],
  end: [
    'At the latest',
    ({ next: { until, ends_in: end } }) =>
      until &&
      end && (
        <>
          <Time at={until} />: it is {toEndWords(end)}
        </>
      ),
  ],
} satisfies Fields<UnknownOutcome>;

export const unknownOutcomeList = listScreen<UnknownOutcome, QueryTo<'/operator/unknown-outcomes'>>({
  path: '/service/unknown-outcomes',
  scope: 'operator:read',
  title: 'Unknown outcomes',
  filters: {
    kind: { label: 'Kind', options: toOptions(['charge', 'refund'], 'Any') },
    account: { label: 'Account' },
    older_than: { label: 'Older than (seconds)', inputMode: 'numeric' },
  },
  name: 'unknown',
  live: 'always',
  read: (visit, query) => read(visit, '/operator/unknown-outcomes', query),
  caption: 'Unknown outcomes, oldest first',
  columns: [
    unknown.id,
    unknown.kind,
    accountField,
    moneyField,
    named('Since', unknown.began),
    unknown.next,
    unknown.until,
  ],
  href: ({ id }) => `/service/unknown-outcomes/${id}`,
  empty: <p>No charge or refund of unknown outcome.</p>,
});

export const askNow = verb({
  path: '/service/unknown-outcomes/{id}/ask',
  scope: 'operator:write',
  title: 'Ask now',
  load: (visit): Promise<UnknownOutcome | null> => findUnknown(visit),
  form: reasonForm,
  says: (given) =>
    given === null
      ? 'Its outcome is known by now, so nothing will happen.'
      : [
          `The workflow of the ${given.kind} ${given.id} over ${formatMoney(given)} is told to ask the processor now.`,
          'It does what it would do at its next turn: no other money moves.',
        ],
  call: 'POST /operator/unknown-outcomes/{id}:ask',
  body: (_unknown, chosen) => chosen,
});

interface Outcome {
  resource: Resource;
  /** `null`: it is known by now. */
  unknown: UnknownOutcome | null;
}

const describeUnknown = [
  (given: UnknownOutcome, visit: Visit) =>
    facts<UnknownOutcome>([
      [given.kind === 'charge' ? 'Charge' : 'Refund', code('id')],
      accountField,
      moneyField,
      unknown.status,
      unknown.began,
      unknown.fault,
      unknown.next,
      unknown.end,
      workflowField,
    ])(given, visit),
  verbs<UnknownOutcome>([askNow]),
];

export const unknownOutcomePage = itemScreen<Outcome>({
  path: '/service/unknown-outcomes/{id}',
  scope: 'operator:read',
  title: 'Unknown outcome',
  name: 'outcome',
  live: 'always',
  async load(visit) {
    const [resource, given] = await Promise.all([
      read(visit, '/operator/resources/{id}'),
      findUnknown(visit),
    ]);
    return { resource, unknown: given };
  },
  isSettled: (outcome) => outcome.unknown === null,
  parts: [
    ({ resource, unknown: given }, visit) =>
      given === null ? (
        <p>
          <Status value={resource.status} />: the outcome of <code class="id">{resource.id}</code> is known.
        </p>
      ) : (
        describeUnknown.map((part) => part(given, visit))
      ),
  ],
  regions: [
    defineRegion<Resource>({
      name: 'run',
      live: 'always',
      load: (visit) => read(visit, '/operator/resources/{id}'),
      isSettled: ({ run }) => run !== null && run.status !== 'RUNNING',
      view: (resource, visit) => <RunView resource={resource} visit={visit} />,
    }),
  ],
});

type Step = NonNullable<Resource['run']>['pending'][number];

function RunView({ resource: { run }, visit }: { resource: Resource; visit: Visit }): JSX.Element {
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
          <Records<Step>
            caption="Steps that it waits for"
            columns={[
              ['Step', plain('type')],
              ['Attempt', plain('attempt')],
              ['Next attempt', timeOrDash('next_attempt')],
              ['Last failure', text('last_failure')],
            ]}
            rowKey={({ type }) => type}
            found={{ data: run.pending }}
            empty={<p>It waits for no step: for time to pass, a notification, or a command.</p>}
            visit={visit}
          />
        </>
      )}
    </>
  );
}
