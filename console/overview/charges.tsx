import type { JSX } from 'preact';
import type { ChargeFigures } from '#client/src/index.ts';
import { formatMoney } from '#domain/money.ts';
import { defineRegion, type Visit } from '../page.ts';
import { Facts } from '../parts/facts.tsx';
import { Bars } from '../plots/bars.tsx';
import { findFirstCharge, FirstCharge, type FirstSteps } from './first-charge.tsx';
import { ShortList } from './short-list.tsx';
import { findRange, listSteps, nameStep, RangeLinks, type Range } from './range.tsx';

type Figure = ChargeFigures['data'][number];

interface Seen {
  figures: ChargeFigures;
  /** For accounts that have never made a charge. */
  first: FirstSteps | null;
}

/** How many reasons of failures are shown. */
const reasonsAtMost = 5;

/** Charges by outcome, and why they failed. */
export const chargesRegion = defineRegion<Seen>({
  name: 'charges',
  main: true,
  live: 'always',
  async load(visit) {
    const { step, ms } = findRange(visit);
    const from = new Date(visit.now.getTime() - ms).toISOString();
    const figures = await visit.api.figures.charges({ step, from });
    return { figures, first: figures.data.length === 0 ? await findFirstCharge(visit) : null };
  },
  view: ({ figures, first }, visit) =>
    first ? <FirstCharge steps={first} visit={visit} /> : <Charges figures={figures} visit={visit} />,
});

function Charges({ figures, visit }: { figures: ChargeFigures; visit: Visit }): JSX.Element {
  const range = findRange(visit);
  const { data } = figures;
  return (
    <>
      <h2>Charges</h2>
      <RangeLinks chosen={range} />
      <Bars
        id="charges-plot"
        title={`Charges of ${range.words}`}
        description={`How many charges ended, and how, by the ${range.stepName.split(' ')[0]?.toLowerCase()}.`}
        stepName={range.stepName}
        series={[
          { name: 'succeeded', tone: 'good' },
          { name: 'declined', tone: 'declined' },
          { name: 'failed otherwise', tone: 'fault' },
          { name: 'cancelled', tone: 'quiet' },
        ]}
        bars={toBars(figures, range)}
      />
      <Facts
        facts={[
          ['Success rate', describeRate(data)],
          ['Captured', describeMoney(data)],
        ]}
      />
      <h3>Why charges failed</h3>
      <ShortList
        caption="Reasons of failed charges, the most frequent first"
        head={['Reason', 'Charges']}
        rows={countReasons(data).map(([reason, count]) => ({ key: reason, cells: [reason, String(count)] }))}
        none="No charge failed."
      />
      <p class="hint">New events are counted within about 10 seconds.</p>
    </>
  );
}

const sum = (data: readonly Figure[], pick: (figure: Figure) => number) =>
  data.reduce((total, figure) => total + pick(figure), 0);

/** The figures of all currencies together, a bar for each step. */
function toBars(figures: ChargeFigures, { step }: Range) {
  return listSteps({ ...figures, step }).map((at) => {
    const own = figures.data.filter((figure) => figure.at === at);
    return {
      name: nameStep(step, at),
      values: [
        sum(own, ({ succeeded }) => succeeded.count),
        sum(own, ({ failed }) => failed.declined),
        sum(own, ({ failed }) => failed.count - failed.declined),
        sum(own, ({ cancelled }) => cancelled.count),
      ],
    };
  });
}

/** `97.4 % of 120`: those that succeeded, of those that succeeded or failed. */
function describeRate(data: readonly Figure[]): string {
  const succeeded = sum(data, (figure) => figure.succeeded.count);
  const all = succeeded + sum(data, ({ failed }) => failed.count);
  return all === 0 ? 'No charge ended' : `${((succeeded / all) * 100).toFixed(1)} % of ${all}`;
}

function describeMoney(data: readonly Figure[]): string {
  const currencies = [...new Set(data.map(({ currency }) => currency))].toSorted();
  const sums = currencies.map((currency) => {
    const own = data.filter((figure) => figure.currency === currency);
    return formatMoney({ amount: sum(own, ({ succeeded }) => succeeded.amount), currency });
  });
  return sums.length === 0 ? 'Nothing' : sums.join(', ');
}

/** The most frequent reasons, with their counts. */
function countReasons(data: readonly Figure[]): [reason: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { failed } of data)
    for (const [reason, count] of Object.entries(failed.by))
      counts.set(reason, (counts.get(reason) ?? 0) + count);
  return [...counts].toSorted(([, one], [, other]) => other - one).slice(0, reasonsAtMost);
}
