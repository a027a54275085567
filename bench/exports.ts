import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import knex from 'knex';
import type { ExportFormat } from '#domain/operations/exports.ts';
import type { OperationResource } from '#domain/operations.ts';
import type { Stack } from '#local/stack.ts';
import type { Benchmark, BenchmarkContext, BenchmarkResults, Figure } from './rig/benchmark.ts';
import { seedCharges } from './rig/seed-charges.ts';
import { raisedRates, takeToken, withStack } from './rig/stack.ts';
import { median } from './rig/statistics.ts';
import { table } from './rig/table.ts';

/** A million charges to a file, beside `COPY` of the same rows by psql; and what it costs of memory. */
export const benchmarkExports: Benchmark = {
  summary: 'a million charges to CSV and NDJSON, beside COPY of the same rows',
  run: benchmark,
};

const rows = 1_000_000;

interface Measured {
  exportSeconds: number;
  copySeconds: number;
  /** Of rows a second: ours by COPY's. */
  ratio: number;
  downloadSeconds: number;
  bytes: number;
  /** Peak over what was resident while idle, in MiB. */
  workerMib: number;
  apiMib: number;
}

function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  return withStack(context, raisedRates, async ({ stack, onEnd }) => {
    // Without the time limits of the product's own statements.
    const db = knex({ client: 'pg', connection: stack.databaseUrl, pool: { min: 0, max: 1 } });
    onEnd(() => db.destroy());
    context.say(`Making ${rows} charges`);
    await seedCharges(db, stack.secrets.demo.account, rows);
    const token = await takeToken(stack);
    const measured: Record<ExportFormat, Measured[]> = { csv: [], ndjson: [] };
    for (let round = 1; round <= context.rounds; round += 1) {
      for (const format of ['csv', 'ndjson'] as const) {
        const one = await measure(stack, token, format);
        measured[format].push(one);
        context.say(`round ${round} of ${context.rounds}: ${format} ${describe(one)}`);
      }
    }
    return { text: asText(measured), data: { rows, measured }, figures: buildFigures(measured) };
  });
}

async function measure(stack: Stack, token: string, format: ExportFormat): Promise<Measured> {
  const copySeconds = await timed(() => copyByPsql(stack.databaseUrl, stack.secrets.demo.account));
  const idle = { worker: resident(stack.pid('worker')), api: resident(stack.pid('api')) };
  const client = { apiUrl: stack.apiUrl, token };
  let done: OperationResource | null = null;
  const exportSeconds = await timed(async () => {
    done = await exportAll(client, format);
  });
  const { href, size } = (done as OperationResource | null)?.response ?? { href: '', size: 0 };
  const downloadSeconds = await timed(() => download(client, href, size));
  return {
    exportSeconds,
    copySeconds,
    ratio: copySeconds / exportSeconds,
    downloadSeconds,
    bytes: size,
    workerMib: peak(stack.pid('worker')) - idle.worker,
    apiMib: peak(stack.pid('api')) - idle.api,
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** The columns that a line of the export shows. */
const copy = (accountId: string) => `copy (
  select id, amount, currency, status, capture_method, amount_captured, amount_refunded,
    amount_captured > 0 and amount_refunded = amount_captured, customer_id, payment_method, description,
    statement_descriptor, metadata, failure, created_at, updated_at, captured_at, cancel_requested_at, cancelled_at,
    expires_at
  from charges where account_id = '${accountId}' order by id) to stdout with (format csv)`;

/** The embedded database brings no psql along: the one on the PATH is used. */
async function copyByPsql(databaseUrl: string, accountId: string): Promise<void> {
  const psql = spawn('psql', [databaseUrl, '--no-psqlrc', '-q', '-o', '/dev/null', '-c', copy(accountId)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(psql, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`psql ended with ${code}`);
}

interface Caller {
  apiUrl: string;
  token: string;
}

/** From the request until a poll says that it is done; with a pause between polls. */
async function exportAll({ apiUrl, token }: Caller, format: ExportFormat): Promise<OperationResource> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const accepted = await fetch(`${apiUrl}/v1/exports`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': randomUUID() },
    body: JSON.stringify({ resource: 'charges', format }),
  });
  if (accepted.status !== 202) throw new Error(`${accepted.status} ${await accepted.text()}`);
  const location = accepted.headers.get('location') ?? '';
  for (;;) {
    const operation = (await (await fetch(apiUrl + location, { headers })).json()) as OperationResource;
    if (operation.status === 'succeeded') return operation;
    if (operation.done) throw new Error(JSON.stringify(operation));
    await sleep(100);
  }
}

async function download({ token }: Caller, href: string, size: number): Promise<void> {
  const answer = await fetch(href, { headers: { authorization: `Bearer ${token}` } });
  let bytes = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
  if (bytes !== size) throw new Error(`${answer.status}: ${bytes} bytes of ${size}`);
}

/** MiB that are resident now; from then on the peak is counted anew. Linux only. */
function resident(pid: number | null): number {
  const now = readStatus(pid, 'VmRSS');
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return now;
}

function peak(pid: number | null): number {
  return readStatus(pid, 'VmHWM');
}

function readStatus(pid: number | null, name: 'VmRSS' | 'VmHWM'): number {
  const [, kib] = new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

function buildFigures(measured: Record<ExportFormat, Measured[]>): Figure[] {
  return (['csv', 'ndjson'] as const).flatMap((format) => [
    {
      what: `rows a second of ${format} over COPY`,
      measured: median(measured[format].map(({ ratio }) => ratio)),
      aim: { atLeast: 0.3 },
    },
    {
      what: `peak memory of ${format} over idle, MiB`,
      measured: Math.max(...measured[format].flatMap(({ workerMib, apiMib }) => [workerMib, apiMib])),
      aim: { atMost: 64 },
    },
  ]);
}

function describe({ exportSeconds, copySeconds, ratio, workerMib, apiMib }: Measured): string {
  return `${exportSeconds.toFixed(1)} s, COPY ${copySeconds.toFixed(1)} s, ratio ${ratio.toFixed(2)}, over idle: worker ${workerMib.toFixed(0)} MiB, api ${apiMib.toFixed(0)} MiB`;
}

function asText(measured: Record<ExportFormat, Measured[]>): string {
  const head = ['format', 'rows/s', 'COPY rows/s', 'ratio', 'MB', 'download MB/s', 'worker MiB', 'api MiB'];
  const lines = Object.entries(measured).map(([format, rounds]) => {
    const middle = (pick: (one: Measured) => number) => median(rounds.map(pick));
    const most = (pick: (one: Measured) => number) => Math.max(...rounds.map(pick));
    return [
      format,
      (rows / middle((one) => one.exportSeconds)).toFixed(0),
      (rows / middle((one) => one.copySeconds)).toFixed(0),
      middle((one) => one.ratio).toFixed(2),
      middle((one) => one.bytes / 1e6).toFixed(0),
      middle((one) => one.bytes / 1e6 / one.downloadSeconds).toFixed(0),
      most((one) => one.workerMib).toFixed(0),
      most((one) => one.apiMib).toFixed(0),
    ];
  });
  return [
    `${rows} charges; medians of the rounds, of memory the most. COPY is psql's, to /dev/null.`,
    '',
    table([head, ...lines]),
  ].join('\n');
}
