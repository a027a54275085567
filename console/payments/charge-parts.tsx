import type { JSX } from 'preact';
import type { Charge, TimelineEntry } from '#client/src/index.ts';
import { adviceMeanings, declines } from '#domain/cards/decline-advice.ts';
import { failureAdvice, failureProblems } from '#domain/charge-failures.ts';
import { isTerminal } from '#domain/charges.ts';
import { defineRegion, type Visit } from '../page.ts';
import { toStep } from '../plots/timeline-steps.ts';
import { Timeline } from '../plots/timeline.tsx';
import { Id, LinkLine, Text, Time, toLocal } from '../parts/values.tsx';

/** What a payment waits for, why it failed, and what happened to it. */

/** Returns what of a charge can still go back, in minor units. */
export function findRefundable(charge: Charge): number {
  const { status, amount_captured: captured, amount_refunded: refunded, amount_returned: returned } = charge;
  return status === 'succeeded' ? Math.max(0, captured - refunded - returned) : 0;
}

/** Ids and times of ours within a sentence. */
const linked = /([a-z]{2,4}_[0-9A-HJKMNP-TV-Z]{26}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/;

/** A sentence whose ids lead to their pages, and whose times are shown as times. */
function LinkedWords({ words }: { words: string }): JSX.Element {
  // What the groups of a pattern find stands at every second place.
  return (
    <>
      {words.split(linked).map((part, index) => {
        if (index % 2 === 0) return part;
        return part.includes('_') ? <Id key={index} value={part} /> : <Time key={index} at={part} />;
      })}
    </>
  );
}

/** Who or what something waits for, and what comes next, in sentences. */
export function NextSteps({ sentences }: { sentences: readonly string[] }): JSX.Element {
  return (
    <>
      {sentences.map((sentence) => (
        <p key={sentence} class="next">
          <LinkedWords words={sentence} />
        </p>
      ))}
    </>
  );
}

/** What happens next to a payment, and when. */
export function describeNext(charge: Charge, { now }: Visit): JSX.Element {
  return <NextSteps sentences={listNext(charge, now)} />;
}

function listNext(charge: Charge, now: Date): string[] {
  const { status, cancel_requested_at: cancelAsked, expires_at: end, next_action: action } = charge;
  const refunds = charge.amount_refunded > 0 ? ', but for its refunds below' : '';
  if (isTerminal(charge)) return [`Nothing more happens by itself${refunds}.`];
  if (cancelAsked !== null)
    return ['A cancel was asked for. The payment reads cancelled once nothing can be taken any more.'];
  if (status === 'requires_action') {
    const within = action
      ? ` ${toRelative(action.expires_at, now, 'within')}, until ${action.expires_at}`
      : '';
    return [`The buyer must confirm the payment at the bank${within}; else the payment fails.`];
  }
  if (status === 'requires_capture') {
    return [
      end === null
        ? 'The processor has not said when the authorization ends.'
        : `The authorization ends ${toRelative(end, now)}, on ${end}; then the money is released.`,
      'The money is reserved. A capture takes it, a cancel gives it back.',
    ];
  }
  return [
    'The outcome is not known yet. Nobody has to do anything: the processor is asked for it again and again, under the key of this payment.',
    'If the processor does not tell it in the time that the account allows (10 minutes, unless set otherwise), the payment is voided and reads failed. What was taken is given back.',
    'Do not take the payment a second time before the outcome is known.',
  ];
}

const relative = new Intl.RelativeTimeFormat('en');

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Returns how far off a time is, in its longest unit: `in 6 days`. What is shorter is cut off. */
function toRelative(at: string, now: Date, before: 'in' | 'within' = 'in'): string {
  const ms = Date.parse(at) - now.getTime();
  const unit = units.find(([, size]) => ms >= size);
  const words = unit ? relative.format(Math.floor(ms / unit[1]), unit[0]) : 'in less than a minute';
  return words.replace('in', before);
}

/** Why a payment failed, what to do now, and what to tell the buyer. */
export function describeFailure({ failure }: Charge, { links }: Visit): JSX.Element | null {
  if (failure === null) return null;
  const { code, decline_code: decline, advice, message } = failure;
  const declined = decline === null ? null : declines[decline];
  return (
    <div class="problem">
      <p>
        <strong>
          {code}
          {decline === null ? '' : ` · ${decline}`}
        </strong>{' '}
        <Text value={message} />
      </p>
      <p>{declined ? declined.meaning : failureAdvice[code]}</p>
      {advice ? (
        <p>
          <strong>What to do:</strong> {adviceMeanings[advice]}
        </p>
      ) : null}
      {declined ? <p>Tell the buyer: “{declined.tell}”</p> : null}
      <LinkLine href={`${links.apiUrl}/problems/${failureProblems[code]}`}>
        What this means, and what to do
      </LinkLine>
    </div>
  );
}

/** The most entries that are drawn. A charge whose deliveries are retried for days has more. */
const shownAtMost = 100;

/** What happened: drawn, and in words below. */
export const paymentHistory = defineRegion({
  name: 'history',
  scope: ['refunds:read', 'webhooks:read'],
  live: 'always',
  load: async ({ api, id }) => api.charges.timeline(id, { limit: shownAtMost }).page(),
  view: ({ data, has_more: hasMore }, { now, timeZone }) => (
    <>
      <h2>Timeline</h2>
      <Timeline entries={data} now={now} zone={timeZone} />
      <Steps entries={data} zone={timeZone} />
      {hasMore ? <p class="hint">These are the first {shownAtMost} steps. The API has the others.</p> : null}
    </>
  ),
});

/** The same in words. Steps are milliseconds apart, so each has its time of day to the millisecond. */
function Steps({ entries, zone }: { entries: readonly TimelineEntry[]; zone: string }): JSX.Element {
  const times = entries.map(({ at }) => toLocal(at, zone));
  return (
    <>
      <p class="hint">Times of day are in {zone}.</p>
      <ol class="history">
        {entries.map(toStep).map(({ words, mark }, index) => (
          <li key={index} class={`step-${mark}`}>
            {times[index]?.slice(0, 10) === times[index - 1]?.slice(0, 10) ? null : (
              <span class="day">{times[index]?.slice(0, 10)}</span>
            )}{' '}
            <code>{times[index]?.slice(11)}</code> <LinkedWords words={words} />
          </li>
        ))}
      </ol>
    </>
  );
}
