import type { JSX } from 'preact';
import type { AuditEntry, Charge, Refund, RefundQuery } from '#client/src/index.ts';
import { formatMoney } from '#domain/money.ts';
import type { Visit } from '../page.ts';
import { asTheApiSays } from '../parts/json.tsx';
import { formatTime, Money, Status, Text } from '../parts/values.tsx';
import {
  code,
  facts,
  id,
  money,
  named,
  ownId,
  status,
  text,
  time,
  words,
  type Fields,
} from '../screens/fields.tsx';
import { toOptions } from '../parts/form.tsx';
import { itemScreen, verbs } from '../screens/items.tsx';
import { listPart, listScreen, readGiven, type Found, type RecordTable } from '../screens/lists.tsx';
import { verb } from '../screens/verbs.tsx';
import { may } from '../session/session.ts';
import { NextSteps } from './charge-parts.tsx';
import { paymentTabs } from '../parts/tabs.tsx';
import { processorFields } from './processor-fields.tsx';
import { toldEvents } from './told-events.tsx';

/** The refunds of the account, and one of them. */

const refund = {
  amount: ['Amount', money],
  status: ['Status', status('status')],
  id: ownId,
  payment: ['Payment', id('charge')],
  reason: ['Reason', words('reason')],
  source: ['Made', ({ source }) => (source === 'processor' ? 'at the processor' : 'here')],
  created: ['Created', time('created')],
  undoneUntil: ['Can be undone until', time('reversible_until')],
  ...processorFields,
  bankReference: ['Reference at the bank', code('bank_reference')],
} satisfies Fields<Refund>;

const href = ({ id: own }: Refund) => `/refunds/${own}`;

const statuses = ['pending', 'processed', 'settled', 'failed', 'reversed'] as const;

const filters = { status: { label: 'Status', options: toOptions(statuses, 'any') } };

/** A table of refunds that were searched for. */
export const refundRows = {
  columns: [refund.amount, refund.status, refund.payment, refund.source, refund.reason, refund.created],
  href,
} satisfies Partial<RecordTable<Refund>>;

export const refundList = listScreen<Refund, RefundQuery>({
  path: '/refunds',
  tab: 'Refunds',
  scope: 'refunds:read',
  title: 'Refunds',
  live: 'events',
  top: paymentTabs,
  filters,
  read: ({ api }, query) => api.refunds.list(query).page(),
  ...refundRows,
  empty(visit) {
    const { status: chosen } = readGiven(visit, filters);
    if (!chosen) return <p>There is no refund yet. A refund begins on the page of its payment.</p>;
    return (
      <p>
        No refund is {chosen}. <a href={visit.path}>All refunds</a>
      </p>
    );
  },
  grows: 'refunds',
});

/** Who made refunds, by the id of the refund: a person, or a program. */
type Authors = ReadonlyMap<string, NonNullable<AuditEntry['actor']>>;

/** Returns who made the refunds, as the audit tells it; `null` if this person may not read the audit. */
async function findAuthors({ api, session }: Visit, refunds: readonly Refund[]): Promise<Authors | null> {
  if (!may(session, 'access:read')) return null;
  if (refunds.length === 0) return new Map();
  const resource = refunds.map(({ id: own }) => own);
  const { data } = await api.auditEntries.list({ resource, limit: 100 }).page();
  // A refund is made at `/v1/refunds`, or at its charge. What was refused made nothing.
  const made = data.filter(
    ({ action, status: answer }) => action.endsWith('refunds.create') && answer !== null && answer < 400,
  );
  // Newest first, so the oldest entry of a refund stays: later ones repeat its answer.
  return new Map(
    made.flatMap(({ resource: own, actor }) =>
      own === null || actor === null ? [] : [[own, actor] as const],
    ),
  );
}

/** Who made the refund, with a link to what people did with it; `null` if nobody is known. */
function showAuthor({ id: own }: Refund, authors: Authors | null): JSX.Element | null {
  const author = authors?.get(own);
  return author ? (
    <a href={`/access/audit?resource=${own}`}>
      <Text value={author.name ?? author.id ?? ''} />
    </a>
  ) : null;
}

/** Takes a refund back, while it is not settled. */
export const undoRefund = verb({
  path: '/refunds/{id}/undo',
  scope: 'refunds:write',
  title: 'Undo a refund',
  label: 'Undo…',
  load: ({ api, id: own }) => api.refunds.get(own),
  when: (given) => given.status === 'processed',
  says: (given, _values, { timeZone }) => [
    `The refund of ${formatMoney(given)} is taken back: the buyer does not get it.`,
    'The amount can be refunded again, as another refund.',
    given.reversible_until === null
      ? `The refund reads ${given.status}, so it cannot be undone now.`
      : `It can be undone until ${formatTime(new Date(given.reversible_until), timeZone)}.`,
    'Your endpoints are told refund.reversed.',
  ],
  call: 'POST /v1/refunds/{id}:cancel',
  submit: (given) => `Undo the refund of ${formatMoney(given)}`,
  done: ({ charge }: Refund) => `/payments/${charge}`,
});

interface RefundsOfPayment extends Found<Refund> {
  authors: Authors | null;
}

/** The refunds of a payment. More of one payment are on the list of refunds alone. */
export const paymentRefunds = listPart<Refund, RefundsOfPayment>({
  name: 'refunds',
  scope: 'refunds:read',
  live: 'events',
  heading: 'Refunds',
  // Most payments have none, and the figures above say so.
  isOptional: true,
  async read(visit) {
    const { data } = await visit.api.refunds.list({ charge: visit.id, limit: 25 }).page();
    return { data, authors: await findAuthors(visit, data) };
  },
  caption: 'Refunds of this payment, newest first',
  columns: (_visit, { authors }) => [
    refund.amount,
    refund.status,
    refund.reason,
    refund.created,
    named('Reference at the processor', refund.processorReference),
    refund.bankReference,
    ...(authors ? [['By', (given: Refund) => showAuthor(given, authors) ?? '–'] as const] : []),
    [
      'Undo',
      (given, visit) => undoRefund.isOffered(given, visit) && <a href={`${href(given)}/undo`}>Undo…</a>,
    ],
  ],
  href,
  empty: '',
});

interface Loaded extends Refund {
  /** `null`: this person may not read it. */
  payment: Charge | null;
  authors: Authors | null;
}

/** One refund, and the payment that it gives back. */
export const refundPage = itemScreen<Loaded>({
  path: '/refunds/{id}',
  shows: 'refund',
  scope: 'refunds:read',
  title: 'Refund',
  live: 'always',
  isSettled: (given) => given.status !== 'pending' && given.status !== 'processed',
  async load(visit) {
    const { api, id: own, session } = visit;
    const found = await api.refunds.get(own);
    const [payment, authors] = await Promise.all([
      may(session, 'charges:read') ? api.charges.get(found.charge) : null,
      findAuthors(visit, [found]),
    ]);
    return { ...found, payment, authors };
  },
  parts: [
    (given) => (
      <p class="headline">
        <Money amount={given.amount} currency={given.currency} /> <Status value={given.status} />
      </p>
    ),
    verbs([undoRefund]),
    (given) => <NextSteps sentences={listNext(given)} />,
    ({ failure }) => failure && <Failure failure={failure} />,
    facts([
      refund.id,
      refund.payment,
      ['Reference', ({ payment }) => payment && text('reference')(payment)],
      ['Of', ({ payment, currency }) => payment && money({ amount: payment.amount_captured, currency })],
      refund.source,
      refund.reason,
      refund.created,
      ['Made by', (given) => showAuthor(given, given.authors)],
      refund.undoneUntil,
      refund.processor,
      refund.processorReference,
      refund.bankReference,
    ]),
    ({ payment: _payment, authors: _authors, ...given }, visit) => asTheApiSays('refunds')(given, visit),
  ],
  regions: [toldEvents],
});

function listNext({ status: now, reversible_until: until }: Refund): string[] {
  if (now === 'pending')
    return [
      'The outcome is not known yet. The processor is asked for it again and again, under the same key.',
    ];
  if (now !== 'processed') return [];
  return [`The processor has taken the refund. It can be undone until ${until}, and settles after that.`];
}

function Failure({ failure }: { failure: NonNullable<Refund['failure']> }): JSX.Element {
  return (
    <div class="problem">
      <p>
        <strong>
          <Text value={failure.code} />
        </strong>{' '}
        <Text value={failure.message} />
      </p>
      <p>Nothing went back. The amount can be refunded again.</p>
    </div>
  );
}
