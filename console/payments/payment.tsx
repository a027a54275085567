import type { JSX } from 'preact';
import type { Charge } from '#client/src/index.ts';
import { isTerminal } from '#domain/charges.ts';
import { formatMoney } from '#domain/money.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Facts } from '../parts/facts.tsx';
import { Id } from '../parts/id.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { may } from '../session/scopes.ts';
import { AsJson, ReadRequest } from './as-json.tsx';
import { FailureAdvice } from './failure-advice.tsx';
import { LinkedWords } from './linked-words.tsx';
import { Metadata } from './metadata.tsx';
import { describeNext, findRefundable } from './next-steps.ts';
import { paymentHistory } from './payment-history.tsx';
import { paymentRefunds } from './payment-refunds.tsx';
import { toldEvents } from './told-events.tsx';

const summary = defineRegion<Charge>({
  name: 'payment',
  main: true,
  live: 'always',
  isSettled: (charge) => isTerminal(charge) && findRefundable(charge) === 0,
  load: ({ api, params }) => api.charges.get(params['id'] ?? ''),
  title: ({ amount, currency, status }) =>
    `${formatMoney({ amount, currency })}, ${status.replaceAll('_', ' ')}`,
  view: (charge, visit) => <Summary charge={charge} visit={visit} />,
});

/** One payment: what it is, what happened to it, and what can be done with it. */
export const payment = definePage({
  path: '/payments/{id}',
  section: 'payments',
  scope: 'charges:read',
  title: () => 'Payment',
  regions: ({ session }) => [
    summary,
    ...(may(session, 'refunds:read') && may(session, 'webhooks:read') ? [paymentHistory] : []),
    ...(may(session, 'refunds:read') ? [paymentRefunds] : []),
    ...(may(session, 'events:read') ? [toldEvents] : []),
  ],
});

function Summary({ charge, visit }: { charge: Charge; visit: Visit }): JSX.Element {
  const { currency } = charge;
  const money = (amount: number) => <Money amount={amount} currency={currency} />;
  return (
    <>
      <Actions charge={charge} visit={visit} />
      {describeNext(charge).map((sentence) => (
        <p key={sentence} class="next">
          <LinkedWords words={sentence} />
        </p>
      ))}
      {charge.failure === null ? null : <FailureAdvice failure={charge.failure} visit={visit} />}
      <Facts
        facts={[
          ['Status', <Status key="status" value={charge.status} />],
          ['Id', <Id key="id" value={charge.id} copy />],
          ['Reference', charge.reference && <Text key="value" value={charge.reference} />],
          ['Created', <Time key="created" at={charge.created} />],
          ['Captured', money(charge.amount_captured)],
          ['Refunded', money(charge.amount_refunded)],
          ['Taken back by the bank', charge.amount_returned > 0 && money(charge.amount_returned)],
          ['Refundable', money(findRefundable(charge))],
          ['Card', <code key="card">{charge.payment_method}</code>],
          ['Customer', charge.customer && <Id key="value" value={charge.customer} />],
          ['Capture', charge.capture_method],
          [
            'Batch',
            charge.charge_batch && (
              <a key="value" href={`/operations/${charge.charge_batch}`}>
                {charge.charge_batch}, row {charge.charge_batch_row}
              </a>
            ),
          ],
          ['Description', charge.description && <Text key="value" value={charge.description} />],
          [
            'On the statement',
            charge.statement_descriptor && <Text key="value" value={charge.statement_descriptor} />,
          ],
          [
            'Cancel asked for',
            charge.cancel_requested_at && <Time key="value" at={charge.cancel_requested_at} />,
          ],
          ['Cancelled', charge.cancelled_at && <Time key="value" at={charge.cancelled_at} />],
        ]}
      />
      <Metadata metadata={charge.metadata} />
      <AsJson value={charge} />
      <ReadRequest path={`/v1/charges/${charge.id}`} visit={visit} />
    </>
  );
}

/** What this person may do with the charge as it is now. What may not be done is absent. */
function Actions({ charge, visit: { session } }: { charge: Charge; visit: Visit }): JSX.Element | null {
  const { id, status, cancel_requested_at: cancelling } = charge;
  const isCancellable = !isTerminal(charge) && cancelling === null;
  const actions = [
    may(session, 'refunds:write') && findRefundable(charge) > 0 && ['Refund…', 'refund'],
    may(session, 'charges:update') &&
      status === 'requires_capture' &&
      cancelling === null && ['Capture…', 'capture'],
    may(session, 'charges:update') && isCancellable && ['Cancel…', 'cancel'],
  ].filter((action) => action !== false);
  if (actions.length === 0) return null;
  return (
    <p class="tools">
      {actions.map(([label, path]) => (
        <a key={path} class="button" href={`/payments/${id}/${path}`}>
          {label}
        </a>
      ))}
    </p>
  );
}
