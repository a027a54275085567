import type { ComponentChildren, JSX } from 'preact';
import { Facts } from '../parts/facts.tsx';
import { Time } from '../parts/time.tsx';
import type { Backlog, Overview } from './operator-api.ts';

/** What is open and ends by itself, with its list. */
export function Mends({ overview }: { overview: Overview }): JSX.Element {
  const { mends_itself: open, dead_letters: letters } = overview;
  const facts: [string, ComponentChildren][] = [
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
        <a href="/service/operations">{open.open_operations}</a>, {open.cancelling_operations} cancelling
      </>,
    ],
    [
      'Dead letters of 24 hours',
      <>
        <a href="/service/webhooks">{letters.count}</a> in {letters.accounts} accounts
      </>,
    ],
  ];
  return (
    <>
      <h2>Mends itself</h2>
      <Facts facts={facts} />
    </>
  );
}

/** A count with its list, and since when the oldest is so. */
function Aged({ of: { count, oldest }, href }: { of: Backlog; href: string }): JSX.Element {
  if (count === 0) return <>0</>;
  return (
    <>
      <a href={href}>{count}</a>, the oldest since <Time at={oldest} />
    </>
  );
}
