import type { Visit } from '../page.ts';
import { defineRegion } from '../page.ts';
import { Sparkline } from '../plots/charts.tsx';
import { toLocal } from '../parts/values.tsx';
import { Records } from '../screens/lists.tsx';
import { read } from './operator-api.ts';

/** Queues, calls of processors and answers of the API in the last hour. */

/** Each point with its minute in the zone of the reader. */
async function readSeries(visit: Visit) {
  const { data } = await read(visit, '/operator/figures');
  return { data: data.map((point) => ({ ...point, at: toLocal(point.at, visit.timeZone).slice(11, 16) })) };
}

type Points = Awaited<ReturnType<typeof readSeries>>['data'];

export const numbersRegion = defineRegion({
  name: 'numbers',
  live: 'always',
  load: readSeries,
  view: ({ data }, visit) => (
    <>
      <h2>Numbers of the last hour</h2>
      <Records
        found={{ data: groupByName(data, ({ queues }) => queues) }}
        caption="Queues"
        columns={[
          ['Queue', ({ name }) => name],
          ['Waiting', ({ last }) => last?.tasks ?? 0],
          ['Oldest waits', ({ last }) => `${round(last?.age_seconds ?? 0)} s`],
          [
            'Last hour',
            ({ name, found }) => (
              <Sparkline
                id={`queue-${name}`}
                title={`${name}: oldest`}
                description="How long the oldest task waited, minute by minute."
                points={found.map(({ at, one }) => ({ name: at, value: round(one?.age_seconds ?? 0) }))}
                unit=" s"
                stepName="Minute"
                {...(ageLimits[name] !== undefined && { limit: ageLimits[name] })}
              />
            ),
          ],
        ]}
        rowKey={({ name }) => name}
        empty={<p>No worker has written figures in the last hour.</p>}
        visit={visit}
      />
      <Records
        found={{ data: groupByName(data, ({ calls }) => calls).toSorted(compareNames) }}
        caption="Calls of processors"
        columns={[
          ['Call', ({ name }) => name],
          ['Count', ({ found }) => sum(found, ({ one }) => one?.count)],
          ['Faults', ({ found }) => sum(found, ({ one }) => one?.faults)],
          ['Median', ({ known }) => `${known?.p50_ms ?? 0} ms`],
          ['95 %', ({ known }) => `${known?.p95_ms ?? 0} ms`],
          [
            'Last hour',
            ({ name, found }) => (
              <Sparkline
                id={`call-${name}`}
                title={`${name}: 95 %`}
                description="95 % of the calls took no longer, minute by minute."
                points={found.map(({ at, one }) => ({ name: at, value: one?.p95_ms ?? 0 }))}
                unit=" ms"
                stepName="Minute"
              />
            ),
          ],
        ]}
        rowKey={({ name }) => name}
        empty={<p>No call of a processor in the last hour.</p>}
        visit={visit}
      />
      <Records
        found={{ data: sumAnswers(data) }}
        caption="Answers of the API"
        columns={[
          ['Answers', ({ count }) => count],
          ['5xx', ({ count, failed }) => describeShare(failed, count)],
          ['Shed', ({ count, shed }) => describeShare(shed, count)],
          [
            'Last hour',
            () => (
              <Sparkline
                id="answers"
                title="5xx and shed"
                description="Answers with 5xx, and requests that were turned away because of load, minute by minute."
                points={data.map(({ at, answers }) => ({
                  name: at,
                  value: answers.failed + answers.shed,
                }))}
                stepName="Minute"
              />
            ),
          ],
        ]}
        rowKey={() => 'answers'}
        empty={<p>The API has answered nothing in the last hour.</p>}
        visit={visit}
      />
    </>
  ),
});

const compareNames = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);

/** The age at which an alert is raised (deploy/prometheus/alerts.yml), in seconds. */
const ageLimits: Readonly<Record<string, number>> = { charges: 1, operations: 60, deliveries: 5 };

const round = (seconds: number) => Math.round(seconds * 10) / 10;

const sum = <T,>(all: readonly T[], pick: (one: T) => number | undefined) =>
  all.reduce((total, one) => total + (pick(one) ?? 0), 0);

const describeShare = (part: number, count: number) => `${part} (${round((100 * part) / count)} %)`;

/** Returns the figures of each name, minute by minute, with those of the last minute and the last known ones. */
function groupByName<T extends { name: string }>(
  data: Points,
  list: (point: Points[number]) => readonly T[],
) {
  const names = [...new Set(data.flatMap((point) => list(point).map(({ name }) => name)))];
  return names.map((name) => {
    const found = data.map((point) => ({
      at: point.at,
      one: list(point).find((each) => each.name === name),
    }));
    return {
      name,
      found,
      last: found.at(-1)?.one,
      known: found.findLast(({ one }) => one !== undefined)?.one,
    };
  });
}

/** Returns the sums of all minutes; none without an answer. */
function sumAnswers(data: Points) {
  const count = sum(data, ({ answers }) => answers.count);
  const failed = sum(data, ({ answers }) => answers.failed);
  const shed = sum(data, ({ answers }) => answers.shed);
  return count > 0 ? [{ count, failed, shed }] : [];
}
