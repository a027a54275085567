import { freePort } from '#local/processes/ports.ts';
import type { Stack } from '#local/stack.ts';
import type { BenchChild } from '../rig/children.ts';
import { listPids, type Pids } from '../rig/cpu-time.ts';
import { measure } from '../rig/samples.ts';
import { takeToken } from '../rig/stack.ts';
import type { ProcessName, Side } from './sides.ts';

/** A way in which our own stack makes charges. */
interface Mode {
  name: string;
  /** What its API process gets beyond the settings of the stack. */
  api: NodeJS.ProcessEnv;
}

/**
 * A further mode is a further row: add it here. Each has an API process of its own on one stack, and an API that hosts
 * runs of charges takes those that another one leaves to workers. So no mode here leaves its runs to workers.
 */
const modes: Mode[] = [
  { name: 'ours', api: {} },
  { name: 'ours, inline', api: { CHARGE_EXECUTION: 'inline', API_RUNS_CHARGES: '0' } },
];

/** Where the API of a mode is. */
interface Api {
  url: string;
  pid: number | null;
}

/** Starts the API of each mode, and returns a row for each. The first one is compared with the others. */
export async function openOurs(stack: Stack, generator: BenchChild): Promise<Side[]> {
  const sides: Side[] = [];
  for (const mode of modes) {
    const api = await startApi(stack, mode);
    const pids = listAllPids(stack, api, generator);
    sides.push({
      name: mode.name,
      settings: describe(stack, mode),
      async measure(load) {
        const token = await takeToken(stack);
        return measure(generator, { send: 'charges', urls: [api.url], token, load }, pids);
      },
      async request(key) {
        const headers = { authorization: `Bearer ${await takeToken(stack)}`, 'idempotency-key': key };
        return { url: `${api.url}/v1/charges`, headers };
      },
    });
  }
  return sides;
}

/** The mode without settings of its own has the API of the stack. */
async function startApi(stack: Stack, { api: env }: Mode): Promise<Api> {
  if (Object.keys(env).length === 0) return { url: stack.apiUrl, pid: stack.pid('api') };
  const { part, url } = await stack.addApi({ METRICS_PORT: String(await freePort()), ...env });
  return { url, pid: part.pid };
}

function listAllPids(stack: Stack, api: Api, generator: BenchChild): Pids<ProcessName> {
  const { temporal, ...others } = listPids(stack, ['worker', 'processor', 'temporal', 'postgres']);
  return { 'load generator': [generator.pid], service: [api.pid], engine: temporal, ...others };
}

function describe({ env }: Stack, { api }: Mode): string {
  const store = env['TEMPORAL_STORE'] === 'postgres' ? 'Postgres' : 'SQLite with synchronous=normal';
  const more = Object.entries(api).map(([name, value]) => `; ${name}=${value}`);
  return `an API and a worker process; Temporal keeps its histories in ${store}${more.join('')}`;
}
