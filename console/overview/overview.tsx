import type { JSX } from 'preact';
import type { ChargeFigures } from '#client/src/index.ts';
import { figureSteps } from '#domain/figures/steps.ts';
import { formatMoney } from '#domain/money.ts';
import { defineRegion, type Page, type Visit } from '../page.ts';
import { overviewTabs } from '../parts/tabs.tsx';
import { formatTime } from '../parts/values.tsx';
import { Bars } from '../plots/charts.tsx';
import { showIn } from '../screens/items.tsx';
import { Records } from '../screens/lists.tsx';
import { may } from '../session/session.ts';
import { failingRegion, operationsRegion, pendingRegion, refusalsRegion } from './attention.tsx';
import { Facts } from '../parts/table.tsx';

export type Figure = ChargeFigures['data'][number];

interface Seen {
  figures: ChargeFigures;
  /** For accounts that have never made a charge. */
  first: FirstSteps | null;
}

/** How many reasons of failures are shown. */
const reasonsAtMost = 5;

/** Charges by outcome, and why they failed. */
const chargesRegion = defineRegion<Seen>({
  name: 'charges',
  main: true,
  live: 'always',
  async load(visit) {
    const { step, ms } = findRange(visit);
    const from = new Date(visit.now.getTime() - ms).toISOString();
    const figures = await visit.api.figures.charges({ step, from });
    return { figures, first: figures.data.length === 0 ? await findFirstCharge(visit) : null };
  },
  view: ({ figures, first }, visit) => (
    <>
      {overviewTabs(visit)}
      {first ? <FirstCharge steps={first} visit={visit} /> : <Charges figures={figures} visit={visit} />}
    </>
  ),
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
        title={`Charges of the last ${range.span}`}
        description={`How many charges ended, and how, by the ${range.stepName.toLowerCase()}.`}
        stepName={`${range.stepName} (${range.step === '1d' ? 'UTC' : visit.timeZone})`}
        series={[
          { name: 'succeeded', tone: 'good' },
          { name: 'declined', tone: 'declined' },
          { name: 'failed otherwise', tone: 'fault' },
          { name: 'cancelled', tone: 'quiet' },
        ]}
        bars={toBars(figures, range, visit.timeZone)}
      />
      <Facts
        facts={[
          ['Success rate', describeRate(data)],
          ['Captured', describeMoney(data)],
        ]}
      />
      <h3>Why charges failed</h3>
      <Records
        found={{ data: countReasons(data).slice(0, reasonsAtMost) }}
        caption="Reasons of failed charges, the most frequent first"
        columns={[
          ['Reason', ([reason]) => reason],
          ['Charges', ([, count]) => count],
        ]}
        rowKey={([reason]) => reason}
        none="No charge failed."
        visit={visit}
      />
      <p class="hint">New events are counted within about 10 seconds.</p>
    </>
  );
}

const sum = (data: readonly Figure[], pick: (figure: Figure) => number) =>
  data.reduce((total, figure) => total + pick(figure), 0);

/** The figures of all currencies together, a bar for each step. */
function toBars(figures: ChargeFigures, { step }: Range, zone: string) {
  return listSteps({ ...figures, step }).map((at) => {
    const own = figures.data.filter((figure) => figure.at === at);
    return {
      name: nameStep(step, at, zone),
      values: [
        sum(own, ({ succeeded }) => succeeded.count),
        sum(own, ({ failed }) => failed.declined),
        sum(own, ({ failed }) => failed.count - failed.declined),
        sum(own, ({ cancelled }) => cancelled.count),
      ],
    };
  });
}

/** Returns `97.4 % of 120`: those that succeeded, of those that succeeded or failed. */
export function describeRate(data: readonly Figure[]): string {
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

/** Returns why charges failed, the most frequent reason first, with how many. */
export function countReasons(data: readonly Figure[]): [reason: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { failed } of data)
    for (const [reason, count] of Object.entries(failed.by))
      counts.set(reason, (counts.get(reason) ?? 0) + count);
  return [...counts].toSorted(([, one], [, other]) => other - one);
}

/** What an account without a charge is shown: the two calls that make its first one. */
interface FirstSteps {
  /** A client of the account; `null`: the person may not see clients, or there is none. */
  clientId: string | null;
}

/** Returns the first steps of an account that has never made a charge; `null` if it has made one. */
async function findFirstCharge({ api, session }: Visit): Promise<FirstSteps | null> {
  const { data: charges } = await api.charges.list({ limit: 1 }).page();
  if (charges.length > 0) return null;
  if (!may(session, 'access:read')) return { clientId: null };
  const { data: clients } = await api.clients.list({ limit: 100 }).page();
  return { clientId: clients.find(({ status }) => status === 'active')?.id ?? null };
}

/** The secret is never shown: nobody but its owner has it. */
function FirstCharge({ steps, visit }: { steps: FirstSteps; visit: Visit }): JSX.Element {
  const { apiUrl, docs } = visit.links;
  const client = steps.clientId ?? 'YOUR_CLIENT_ID';
  const commands = [
    `TOKEN=$(curl -s -u '${client}:YOUR_CLIENT_SECRET' ${apiUrl}/oauth2/token \\`,
    `  -d grant_type=client_credentials | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -X POST ${apiUrl}/v1/charges -H "Authorization: Bearer $TOKEN" \\`,
    `  -H "Idempotency-Key: first-charge" -H 'Content-Type: application/json' \\`,
    `  -d '{"amount": 1999, "currency": "EUR", "payment_method": "tok_visa"}'`,
  ];
  return (
    <>
      <h2>Your first charge</h2>
      <p>
        This account has made no charge yet. These commands make one. Put the secret of your client in the
        place of <code>YOUR_CLIENT_SECRET</code>.
      </p>
      <pre>
        <code>{commands.join('\n')}</code>
      </pre>
      <p>
        <a href={docs}>The quickstart</a> explains each step. The charge appears here within about 10 seconds.
      </p>
    </>
  );
}

/** How the account is doing, on one page. */
export const overview: Page = {
  path: '/',
  tab: 'Overview',
  section: 'overview',
  scope: 'charges:read',
  title: () => 'Overview',
  regions: (visit) =>
    showIn(visit, [chargesRegion, pendingRegion, failingRegion, operationsRegion, refusalsRegion]),
};

/** How far back the figures of the overview go. */

const hourMs = 3_600_000;

/** A choice: its name in the address, what it is called, and its step. */
const ranges = [
  { name: '1h', label: '1 hour', span: 'hour', step: '1m', ms: hourMs, stepName: 'Minute' },
  { name: '24h', label: '24 hours', span: '24 hours', step: '1h', ms: 24 * hourMs, stepName: 'Hour' },
  { name: '30d', label: '30 days', span: '30 days', step: '1d', ms: 30 * 24 * hourMs, stepName: 'Day' },
] as const;

type Range = (typeof ranges)[number];

/** Returns what the address asks for. (Default: 24 hours) */
function findRange({ query }: Pick<Visit, 'query'>): Range {
  return ranges.find(({ name }) => name === query.get('range')) ?? ranges[1];
}

/** Links to the other ranges. */
function RangeLinks({ chosen }: { chosen: Range }): JSX.Element {
  return (
    <nav class="ranges" aria-label="Range of the figures">
      {ranges.map(({ name, label }) => (
        <a key={name} href={`/?range=${name}`} aria-current={name === chosen.name ? 'true' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

/** Returns the beginnings of all steps of a range, those without figures too. ISO 8601 in UTC. */
export function listSteps({ step, from, to }: { step: Range['step']; from: string; to: string }): string[] {
  const { ms } = figureSteps[step];
  const first = Date.parse(from);
  const count = Math.max(0, Math.round((Date.parse(to) - first) / ms));
  return Array.from({ length: count }, (_, n) => new Date(first + n * ms).toISOString());
}

/** Returns a step's beginning in words: `12:04`, `2 Nov 12:00` or `2 Nov`. Days are those of UTC, whatever the zone. */
export function nameStep(step: Range['step'], at: string, zone: string): string {
  const [day, month, , time = ''] = formatTime(new Date(at), step === '1d' ? 'UTC' : zone).split(' ');
  if (step === '1m') return time.slice(0, 5);
  return step === '1h' ? `${day} ${month} ${time.slice(0, 5)}` : `${day} ${month}`;
}
