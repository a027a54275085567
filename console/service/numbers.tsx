import type { JSX } from 'preact';
import { defineRegion } from '../page.ts';
import { Table } from '../parts/table.tsx';
import { Sparkline } from '../plots/sparkline.tsx';
import { read, type AnswerFigures, type FigurePoint } from './operator-api.ts';

/** Queues, calls of processors and answers of the API in the last hour. */

interface Series {
  data: FigurePoint[];
}

export const numbersRegion = defineRegion<Series>({
  name: 'numbers',
  live: 'always',
  load: (visit) => read<Series>(visit, 'figures'),
  view: (series) => <Numbers series={series} />,
});

/** The age at which an alert is raised (deploy/prometheus/alerts.yml), in seconds. */
const ageLimits: Readonly<Record<string, number>> = { charges: 1, operations: 60, deliveries: 5 };

function Numbers({ series: { data } }: { series: Series }): JSX.Element {
  const queues = [...new Set(data.flatMap((point) => point.queues.map(({ name }) => name)))];
  const calls = [...new Set(data.flatMap((point) => point.calls.map(({ name }) => name)))].toSorted();
  return (
    <>
      <h2>Numbers of the last hour</h2>
      <Table
        caption="Queues"
        head={['Queue', 'Waiting', 'Oldest waits', 'Last hour']}
        rows={queues.map((name) => toQueueRow(name, data))}
        empty={<p>No worker has written figures in the last hour.</p>}
      />
      <Table
        caption="Calls of processors"
        head={['Call', 'Count', 'Faults', 'Median', '95 %', 'Last hour']}
        rows={calls.map((name) => toCallRow(name, data))}
        empty={<p>No call of a processor in the last hour.</p>}
      />
      <Table
        caption="Answers of the API"
        head={['Answers', '5xx', 'Shed', 'Last hour']}
        rows={data.some(({ answers }) => answers.count > 0) ? [toAnswerRow(data)] : []}
        empty={<p>The API has answered nothing in the last hour.</p>}
      />
    </>
  );
}

const toMinute = (at: string) => at.slice(11, 16);

function toQueueRow(name: string, data: readonly FigurePoint[]) {
  const found = data.map(({ at, queues }) => ({ at, queue: queues.find((queue) => queue.name === name) }));
  const points = found.map(({ at, queue }) => ({
    name: toMinute(at),
    value: round(queue?.age_seconds ?? 0),
  }));
  const last = found.at(-1)?.queue;
  const limit = ageLimits[name];
  return {
    key: name,
    cells: [
      name,
      last?.tasks ?? 0,
      `${round(last?.age_seconds ?? 0)} s`,
      <Sparkline
        key="line"
        id={`queue-${name}`}
        title={`${name}: oldest`}
        description="How long the oldest task waited, minute by minute."
        points={points}
        unit=" s"
        stepName="Minute"
        {...(limit !== undefined && { limit })}
      />,
    ],
  };
}

function toCallRow(name: string, data: readonly FigurePoint[]) {
  const found = data.map(({ at, calls }) => ({ at, call: calls.find((call) => call.name === name) }));
  const sum = (member: 'count' | 'faults') =>
    found.reduce((total, { call }) => total + (call?.[member] ?? 0), 0);
  const last = found.findLast(({ call }) => call !== undefined)?.call;
  return {
    key: name,
    cells: [
      name,
      sum('count'),
      sum('faults'),
      `${last?.p50_ms ?? 0} ms`,
      `${last?.p95_ms ?? 0} ms`,
      <Sparkline
        key="line"
        id={`call-${name}`}
        title={`${name}: 95 %`}
        description="95 % of the calls took no longer, minute by minute."
        points={found.map(({ at, call }) => ({ name: toMinute(at), value: call?.p95_ms ?? 0 }))}
        unit=" ms"
        stepName="Minute"
      />,
    ],
  };
}

function toAnswerRow(data: readonly FigurePoint[]) {
  const sum = (member: keyof AnswerFigures) =>
    data.reduce((total, { answers }) => total + answers[member], 0);
  const count = sum('count');
  const share = (part: number) => `${part} (${round((100 * part) / count)} %)`;
  return {
    key: 'answers',
    cells: [
      count,
      share(sum('failed')),
      share(sum('shed')),
      <Sparkline
        key="line"
        id="answers"
        title="5xx and shed"
        description="Answers with 5xx, and requests that were turned away because of load, minute by minute."
        points={data.map(({ at, answers }) => ({ name: toMinute(at), value: answers.failed + answers.shed }))}
        stepName="Minute"
      />,
    ],
  };
}

const round = (seconds: number) => Math.round(seconds * 10) / 10;
