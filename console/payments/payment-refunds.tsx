import type { Refund } from '#client/src/index.ts';
import { defineRegion, type Visit } from '../page.ts';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Table, type Row } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { may } from '../session/scopes.ts';
import { Author, findAuthors, type Authors } from './refund-authors.tsx';

/** The refunds of a payment. More of one payment are on the list of refunds alone. */
export const paymentRefunds = defineRegion({
  name: 'refunds',
  live: 'events',
  async load(visit) {
    const { api, params } = visit;
    const { data } = await api.refunds.list({ charge: params['id'] ?? '', limit: 25 }).page();
    return { data, authors: await findAuthors(visit, data) };
  },
  view: ({ data, authors }, visit) =>
    // Most payments have none, and the figures above say so.
    data.length === 0 ? (
      <></>
    ) : (
      <>
        <h2>Refunds</h2>
        <Table
          caption="Refunds of this payment, newest first"
          head={['Amount', 'Status', 'Reason', 'Created', ...(authors ? ['By'] : []), 'Undo']}
          rows={data.map((refund) => toRow(refund, authors, visit))}
          empty=""
        />
      </>
    ),
});

function toRow(refund: Refund, authors: Authors | null, { session }: Visit): Row {
  return {
    key: refund.id,
    href: `/refunds/${refund.id}`,
    cells: [
      <Money key="amount" amount={refund.amount} currency={refund.currency} />,
      <Status key="status" value={refund.status} />,
      refund.reason?.replaceAll('_', ' ') ?? '',
      <Time key="created" at={refund.created} />,
      ...(authors ? [<Author key="by" refund={refund} authors={authors} />] : []),
      refund.status === 'processed' && may(session, 'refunds:write') ? (
        <a key="undo" href={`/refunds/${refund.id}/undo`}>
          Undo…
        </a>
      ) : (
        ''
      ),
    ],
  };
}
