import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { render } from 'preact-render-to-string';
import { request } from 'undici';
import { ensureMember } from '#admin/members.ts';
import { assetNames, assetPath } from '#console/assets.ts';
import { pages } from '#console/pages.ts';
import { Id } from '#console/parts/id.tsx';
import { Money } from '#console/parts/money.tsx';
import { Status } from '#console/parts/status.tsx';
import { Table } from '#console/parts/table.tsx';
import { Text } from '#console/parts/text.tsx';
import { Time } from '#console/parts/time.tsx';
import { newId } from '#db/new-id.ts';
import { issueSignInCode } from '#issuer/sign-in-code.ts';
import { runRounds, type Benchmark, type BenchmarkContext, type BenchmarkResults } from './rig/benchmark.ts';
import { driveLoad } from './rig/closed-loop.ts';
import { listPids, watchCpu, type CpuTimes } from './rig/cpu-time.ts';
import { charge, createMerchant, register } from './rig/merchants.ts';
import { residentMib } from './rig/resident.ts';
import { formatCpu } from './rig/samples.ts';
import { raisedRates, withStack, type Bench } from './rig/stack.ts';
import { median, quantile } from './rig/statistics.ts';
import { table } from './rig/table.ts';

/**
 * What a person waits for, and what the process takes: the pages of one account, with 8 requests in flight, by the console's
 * own process over the API of the whole stack.
 */
export const benchmarkConsole: Benchmark = {
  summary: 'pages of the console: time, size, memory, start, and 100 rows of a table',
  run: benchmark,
};

const inFlight = 8;
const charges = 60;
const warmUpSeconds = 3;
const aims = { p95Ms: 50, rowsMs: 3, residentMib: 120, startMs: 1_000, firstKib: 50, afterKib: 15 };

/** Where the console is, and what to send to be somebody there. */
interface Visitor {
  url: string;
  cookie: string;
  paths: string[];
}

interface Round {
  /** Milliseconds of each answer, by path. */
  times: Record<string, number[]>;
  /** CPU time of a page. (ms) */
  cpuMs: CpuTimes<ProcessName>;
  rowsMs: number;
}

type ProcessName = 'console' | 'api' | 'postgres';

function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  return withStack(context, raisedRates, async (bench) => {
    const { visitor, pid, startMs } = await startConsole(bench);
    await visit(visitor, warmUpSeconds);
    const pids = { console: [pid], ...listPids(bench.stack, ['api', 'postgres']) };
    const rounds = await runRounds(
      context,
      async () => {
        const endWatch = watchCpu(pids);
        const times = await visit(visitor, context.seconds);
        const cpuMs = endWatch(Object.values(times).flat().length);
        return { times, cpuMs, rowsMs: measureRows() };
      },
      ({ times }) => `p95 ${quantile(Object.values(times).flat(), 0.95).toFixed(1)} ms`,
    );
    const sizes = await measureSizes(visitor);
    return toResults({ rounds, sizes, startMs, memory: residentMib(pid) });
  });
}

/** Starts the console as a process of its own, and signs a developer of an account with payments in. */
async function startConsole(bench: Bench): Promise<{ visitor: Visitor; pid: number; startMs: number }> {
  const { stack, startChild, openDatabase } = bench;
  const db = openDatabase();
  const merchant = await createMerchant(stack, db);
  const ids: string[] = [];
  for (let made = 0; made < charges; made += 1) ids.push(await charge(stack, merchant));
  await register(stack, merchant, 'http://127.0.0.1:9/webhooks');
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const { clientId, clientSecret, key } = stack.secrets.console;
  const began = performance.now();
  const child = await startChild('../console/server.ts', {
    PATH: process.env['PATH'],
    LOG_LEVEL: 'warn',
    // As docker-compose.yml starts it.
    NODE_OPTIONS: '--max-old-space-size=96 --max-semi-space-size=4',
    CONSOLE_PORT: String(port),
    CONSOLE_URL: url,
    CONSOLE_API_URL: stack.apiUrl,
    CONSOLE_KEY: key,
    CONSOLE_CLIENT_ID: clientId,
    CONSOLE_CLIENT_SECRET: clientSecret,
  });
  const startMs = performance.now() - began;
  const { id } = await ensureMember(db, { accountId: merchant.accountId, role: 'developer', name: 'Ana' });
  const cookie = await signIn(url, (await issueSignInCode(db, id)).code);
  const lists = pages.filter(({ path, scope }) => !path.includes('{') && !scope?.startsWith('operator:'));
  const paths = [...lists.map(({ path }) => path), `/payments/${ids[0]}`];
  return { visitor: { url, cookie, paths }, pid: child.pid, startMs };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function signIn(url: string, code: string): Promise<string> {
  const answer = await fetch(`${url}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ code }),
    headers: { origin: url },
    redirect: 'manual',
  });
  const cookie = answer.headers.getSetCookie().find((text) => text.startsWith('console='));
  if (cookie === undefined) throw new Error(`sign-in answered ${answer.status}`);
  return cookie.split(';')[0] ?? '';
}

/** Asks for the pages by turns. */
async function visit(visitor: Visitor, seconds: number): Promise<Record<string, number[]>> {
  const { paths } = visitor;
  const times: Record<string, number[]> = Object.fromEntries(paths.map((path) => [path, []]));
  let next = 0;
  await driveLoad({ inFlight, until: { seconds } }, async () => {
    const path = paths[next++ % paths.length] ?? '';
    const began = performance.now();
    await load(visitor, path);
    times[path]?.push(performance.now() - began);
  });
  return times;
}

/** Returns the bytes of an answer, compressed as for a browser. */
async function load({ url, cookie }: Visitor, path: string): Promise<number> {
  const answer = await request(url + path, { headers: { cookie, 'accept-encoding': 'gzip' } });
  const { byteLength } = await answer.body.arrayBuffer();
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
  return byteLength;
}

interface Sizes {
  /** Of style, scripts and picture together. */
  files: number;
  pages: Record<string, number>;
}

async function measureSizes(visitor: Visitor): Promise<Sizes> {
  const files = await Promise.all(assetNames.map((name) => load(visitor, assetPath(name))));
  const sizes = await Promise.all(
    visitor.paths.map(async (path) => [path, await load(visitor, path)] as const),
  );
  return { files: files.reduce((sum, size) => sum + size, 0), pages: Object.fromEntries(sizes) };
}

/** Returns the milliseconds that a table of 100 payments takes to render: the median of 50. */
function measureRows(): number {
  const rows = Array.from({ length: 100 }, (_, at) => ({
    key: String(at),
    href: `/payments/${at}`,
    cells: [
      <Money key="amount" amount={1_999 + at} currency="EUR" />,
      <Status key="status" value="succeeded" />,
      <Text key="reference" value={`order-${at} <b>`} />,
      <Id key="customer" value={newId('customer')} />,
      'tok_visa',
      <Time key="created" at={new Date()} />,
    ],
  }));
  const head = ['Amount', 'Status', 'Reference', 'Customer', 'Paid with', 'Created'];
  const times = Array.from({ length: 50 }, () => {
    const began = performance.now();
    render(<Table caption="Payments" head={head} rows={rows} empty="" />);
    return performance.now() - began;
  });
  return median(times);
}

interface Measured {
  rounds: Round[];
  sizes: Sizes;
  startMs: number;
  memory: number;
}

function toResults({ rounds, sizes, startMs, memory }: Measured): BenchmarkResults {
  const ofPage = (path: string, share: number) =>
    median(rounds.map(({ times }) => quantile(times[path] ?? [], share)));
  const p95 = median(rounds.map(({ times }) => quantile(Object.values(times).flat(), 0.95)));
  const rowsMs = median(rounds.map((round) => round.rowsMs));
  const largest = Math.max(...Object.values(sizes.pages));
  const kib = (bytes: number) => bytes / 1_024;
  const figures = [
    { what: 'ms of a page, p95', measured: p95, aim: { atMost: aims.p95Ms } },
    { what: 'ms to render 100 rows', measured: rowsMs, aim: { atMost: aims.rowsMs } },
    { what: 'MiB resident after the load', measured: memory, aim: { atMost: aims.residentMib } },
    { what: 'ms to start', measured: startMs, aim: { atMost: aims.startMs } },
    {
      what: 'KiB of the largest first page',
      measured: kib(largest + sizes.files),
      aim: { atMost: aims.firstKib },
    },
    { what: 'KiB of the largest later page', measured: kib(largest), aim: { atMost: aims.afterKib } },
  ];
  const rows = Object.entries(sizes.pages).map(([path, bytes]) => [
    path.replace(/ch_\w+/, '{id}'),
    ofPage(path, 0.5).toFixed(1),
    ofPage(path, 0.95).toFixed(1),
    kib(bytes).toFixed(1),
  ]);
  const text = [
    `${inFlight} requests in flight, all pages by turns. Medians of ${rounds.length} rounds.`,
    '',
    table([['page', 'p50 ms', 'p95 ms', 'KiB'], ...rows]),
    table([
      ['CPU time of a page', 'ms'],
      ...(['console', 'api', 'postgres'] as const).map((name) => [name, formatCpu(rounds, name, 1)]),
    ]),
    ...figures.map(
      ({ what, measured, aim }) => `${what}: ${measured.toFixed(1)} (aim: at most ${aim.atMost})`,
    ),
    '',
  ].join('\n');
  return { text, data: { rounds, sizes, startMs, memory }, figures };
}
