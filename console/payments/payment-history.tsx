import type { JSX } from 'preact';
import type { TimelineEntry } from '#client/src/index.ts';
import { defineRegion } from '../page.ts';
import { toStep, type Step } from '../plots/timeline-steps.ts';
import { Timeline } from '../plots/timeline.tsx';
import { LinkedWords } from './linked-words.tsx';

/** The most entries that are drawn. A charge whose deliveries are retried for days has more. */
const shownAtMost = 100;

interface History {
  entries: TimelineEntry[];
  hasMore: boolean;
}

/** What happened: drawn, and in words below. */
export const paymentHistory = defineRegion<History>({
  name: 'history',
  live: 'always',
  async load({ api, params }) {
    const page = await api.charges.timeline(params['id'] ?? '', { limit: shownAtMost }).page();
    return { entries: page.data, hasMore: page.has_more };
  },
  view: ({ entries, hasMore }, { now }) => (
    <>
      <h2>Timeline</h2>
      <Timeline entries={entries} now={now} />
      <Steps steps={entries.map(toStep)} />
      {hasMore ? <p class="hint">These are the first {shownAtMost} steps. The API has the others.</p> : null}
    </>
  ),
});

/** The same in words. Steps are milliseconds apart, so each has its time of day to the millisecond. */
function Steps({ steps }: { steps: readonly Step[] }): JSX.Element {
  return (
    <>
      <p class="hint">Times of day are in UTC.</p>
      <ol class="history">
        {steps.map(({ at, words, mark }, index) => (
          <li key={index} class={`step-${mark}`}>
            {at.slice(0, 10) === steps[index - 1]?.at.slice(0, 10) ? null : (
              <span class="day">{at.slice(0, 10)}</span>
            )}{' '}
            <code>{at.slice(11, 23)}</code> <LinkedWords words={words} />
          </li>
        ))}
      </ol>
    </>
  );
}
