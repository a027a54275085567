import type { JSX } from 'preact';
import type { Charge, Refund } from '#client/src/index.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Facts } from '../parts/facts.tsx';
import { Id } from '../parts/id.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { may } from '../session/scopes.ts';
import { Author, findAuthors, type Authors } from './refund-authors.tsx';
import { AsJson, ReadRequest } from './as-json.tsx';
import { describeRefundNext } from './next-steps.ts';
import { LinkedWords } from './linked-words.tsx';
import { Metadata } from './metadata.tsx';
import { toldEvents } from './told-events.tsx';

interface Loaded {
  refund: Refund;
  /** `null`: this person may not read it. */
  charge: Charge | null;
  /** `null`: this person may not read the audit. */
  authors: Authors | null;
}

const summary = defineRegion<Loaded>({
  name: 'refund',
  main: true,
  live: 'always',
  isSettled: ({ refund: { status } }) => status !== 'pending' && status !== 'processed',
  async load(visit) {
    const { api, params, session } = visit;
    const refund = await api.refunds.get(params['id'] ?? '');
    const [charge, authors] = await Promise.all([
      may(session, 'charges:read') ? api.charges.get(refund.charge) : null,
      findAuthors(visit, [refund]),
    ]);
    return { refund, charge, authors };
  },
  view: (loaded, visit) => <Summary {...loaded} visit={visit} />,
});

/** One refund, and the payment that it gives back. */
export const refund = definePage({
  path: '/refunds/{id}',
  section: 'payments',
  scope: 'refunds:read',
  title: () => 'Refund',
  regions: ({ session }) => [summary, ...(may(session, 'events:read') ? [toldEvents] : [])],
});

function Summary({ refund, charge, authors, visit }: Loaded & { visit: Visit }): JSX.Element {
  const { currency, failure } = refund;
  return (
    <>
      <p class="headline">
        <Money amount={refund.amount} currency={currency} /> <Status value={refund.status} />
      </p>
      {refund.status === 'processed' && may(visit.session, 'refunds:write') ? (
        <p class="tools">
          <a class="button" href={`/refunds/${refund.id}/undo`}>
            Undo…
          </a>
        </p>
      ) : null}
      {describeRefundNext(refund).map((sentence) => (
        <p key={sentence} class="next">
          <LinkedWords words={sentence} />
        </p>
      ))}
      {failure === null ? null : (
        <div class="problem">
          <p>
            <strong>
              <Text value={failure.code} />
            </strong>{' '}
            <Text value={failure.message} />
          </p>
          <p>Nothing went back. The amount can be refunded again.</p>
        </div>
      )}
      <Facts
        facts={[
          ['Id', <Id key="id" value={refund.id} copy />],
          ['Payment', <Id key="charge" value={refund.charge} />],
          ['Reference', charge?.reference && <Text key="value" value={charge.reference} />],
          ['Of', charge && <Money key="value" amount={charge.amount_captured} currency={currency} />],
          ['Reason', refund.reason?.replaceAll('_', ' ')],
          ['Created', <Time key="created" at={refund.created} />],
          ['Made by', authors?.has(refund.id) ? <Author key="by" refund={refund} authors={authors} /> : null],
          [
            'Can be undone until',
            refund.reversible_until && <Time key="value" at={refund.reversible_until} />,
          ],
        ]}
      />
      <Metadata metadata={refund.metadata} />
      <AsJson value={refund} />
      <ReadRequest path={`/v1/refunds/${refund.id}`} visit={visit} />
    </>
  );
}
