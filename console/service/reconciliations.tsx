import type { JSX } from 'preact';
import { z } from 'zod';
import { Status } from '../parts/values.tsx';
import {
  bareId,
  facts,
  named,
  plain,
  status,
  text,
  time,
  timeOrDash,
  type Fields,
} from '../screens/fields.tsx';
import { itemScreen } from '../screens/items.tsx';
import { listPart, listScreen, toPage } from '../screens/lists.tsx';
import { toMade, verb } from '../screens/verbs.tsx';
import { read, type Difference, type Reconciliation } from './operator-api.ts';
import { accountField, moneyField, reasonForm, toAdvice, workflowField } from './words.tsx';
import { Pager } from '../parts/tabs.tsx';

/** The runs of reconciliation, and one with its differences. */

const run = {
  status: ['Status', status('status')],
  by: ['Asked for by', (given) => <Asker run={given} />],
  repairs: ['Repairs rows that are behind', ({ repair }) => (repair ? 'yes' : 'no')],
  began: ['Began', timeOrDash('started')],
  ended: ['Ended', timeOrDash('ended')],
  charges: ['Charges compared', plain('charges_compared')],
  refunds: ['Refunds compared', plain('refunds_compared')],
  movements: ['Movements read', plain('movements_read')],
  differences: ['Differences', plain('differences')],
  repaired: ['Repaired', plain('repaired')],
  examined: ['Examined all', (given) => (given.complete === false ? describeRest(given) : null)],
  unread: ['Ledgers not read', ({ unread }) => unread.join(', ') || null],
} satisfies Fields<Reconciliation>;

/** Who asked for a run: an operator, whose entries of the audit are a link away, or the command. */
function Asker({ run: { requested_by: by } }: { run: Reconciliation }): JSX.Element {
  if (by === null) return <>its schedule</>;
  if (!by.startsWith('mem_')) return <code>{by}</code>;
  return <a href={`/service/audit?actor=${by}`}>an operator</a>;
}

function describeRest({ unexamined }: Reconciliation): string {
  const rest =
    unexamined === null ? '' : `${unexamined.toLocaleString('en-GB')} possible differences are left. `;
  return `no: ${rest}Settle these, then run it again`;
}

const isOver = ({ status: now }: Reconciliation) => now === 'succeeded' || now === 'failed';

export const reconciliationList = listScreen<Reconciliation, object>({
  path: '/service/reconciliations',
  scope: 'operator:read',
  title: 'Reconciliations',
  live: 'always',
  read: (visit, query) => read(visit, '/operator/reconciliations', query),
  isSettled: ({ data }) => data.every(isOver),
  caption: 'Runs, newest first',
  columns: [
    ['Asked for', time('created')],
    named('By', run.by),
    run.status,
    run.ended,
    run.differences,
    run.repaired,
    [
      'Rows compared',
      (given) => given.charges_compared && given.charges_compared + (given.refunds_compared ?? 0),
    ],
  ],
  href: ({ id }) => `/service/reconciliations/${id}`,
  empty: <p>No run yet. One runs each day.</p>,
});

export const reconciliationPage = itemScreen<Reconciliation>({
  path: '/service/reconciliations/{id}',
  scope: 'operator:read',
  title: 'Reconciliation',
  name: 'run',
  live: 'always',
  load: (visit) => read(visit, '/operator/reconciliations/{id}'),
  isSettled: isOver,
  parts: [facts(run)],
  regions: [
    listPart<Difference>({
      name: 'differences',
      live: 'always',
      heading: 'Differences',
      read: (visit) => read(visit, '/operator/reconciliations/{id}/differences', toPage(visit)),
      // They are written with the end of the run, and never change.
      isSettled: ({ data }) => data.length > 0,
      caption: 'Differences',
      columns: [
        [
          'Difference',
          ({ number, code, repaired }) => (
            <span id={`difference-${number}`}>
              <Status value={code} tone={repaired ? 'waiting' : 'bad'} />
            </span>
          ),
        ],
        ['Of', bareId('resource')],
        accountField,
        moneyField,
        ['Row and ledger', text('detail')],
        [
          'What to do',
          ({ code, repaired }) => (repaired ? 'Its workflow was told to look again.' : toAdvice(code)),
        ],
        workflowField,
      ],
      rowKey: ({ number }) => String(number),
      empty: <p>None was found, or it has not ended.</p>,
      below: (visit, { next_cursor: next = null }) => (
        <>
          <p>The chapter Reconciliation of docs/operations.md explains each difference.</p>
          <Pager visit={visit} cursor={next} />
        </>
      ),
    }),
  ],
});

export const reconcileNow = verb({
  path: '/service/reconcile',
  scope: 'operator:write',
  title: 'Reconcile',
  form: {
    repair: {
      label: 'Repair rows that are behind',
      options: [
        { value: 'no', label: 'No, only compare' },
        { value: 'yes', label: 'Yes, their workflows look again' },
      ],
      value: 'no',
      is: z.enum(['no', 'yes']).default('no'),
    },
    ...reasonForm,
  },
  says: (_none, { repair }) => [
    'All charges and refunds are compared with the ledgers of their processors and with the workflows.',
    repair === 'yes'
      ? 'The workflows of rows that are behind are told to look again. That moves no money.'
      : 'Nothing is repaired.',
  ],
  call: 'POST /operator/reconciliations',
  body: (_none, { reason, repair }) => ({ reason, repair: repair === 'yes' }),
  done: toMade('/service/reconciliations/'),
});
