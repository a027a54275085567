import type { TimelineEntry } from '#client/src/index.ts';
import { defineRegion } from '../page.ts';
import { Time } from '../parts/time.tsx';
import { toStep } from '../plots/timeline-steps.ts';
import { Timeline } from '../plots/timeline.tsx';

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
      <h2>What happened</h2>
      <Timeline entries={entries} now={now} />
      <ol>
        {entries.map(toStep).map(({ at, words, mark }, index) => (
          <li key={index} class={`step-${mark}`}>
            <Time at={at} /> {words}
          </li>
        ))}
      </ol>
      {hasMore ? <p class="hint">These are the first {shownAtMost} steps. The API has the others.</p> : null}
    </>
  ),
});
