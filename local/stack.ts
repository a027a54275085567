import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withSecretFiles } from '#startup/settings/secret-files.ts';
import { serviceSecrets } from '#startup/settings/service.ts';
import { migrate } from '#db/migrate.ts';
import { Part } from './processes/children.ts';
import { isOnPostgres, launches } from './launches.ts';
import type { LaunchContext, PartName } from './launches.ts';
import { endLeftovers, recordChildren } from './processes/leftovers.ts';
import { logFile } from './processes/log-files.ts';
import { requireDatabase } from './outside.ts';
import { takeFolder } from './postgres/ownership.ts';
import { choosePorts, freePort } from './processes/ports.ts';
import type { PortChoices } from './processes/ports.ts';
import { LauncherError } from './processes/processes.ts';
import { untilAnswers } from './processes/readiness.ts';
import { keepSecrets } from './secrets.ts';
import type { LocalSecrets } from './secrets.ts';
import { seedDemoAccounts } from './seed.ts';
import { buildAddresses, apiUrlAt, buildEnvironment } from './settings.ts';
import { requireOwnSandbox, seedStripe, usesStripe } from './stripe.ts';
import { findTemporal, requireNoTls, requireTemporal } from './temporal/temporal.ts';

export type { PartName } from './launches.ts';
export type { Part } from './processes/children.ts';

export interface StackOptions {
  /** Holds all data, logs and secrets of this stack; one living process may use it at a time. */
  localDir: string;
  /**
   * Settings of all parts (default: the environment of this process). What DATABASE_URL, TEMPORAL_ADDRESS and
   * PROCESSOR_URL name in it is used instead of starting one.
   */
  env?: NodeJS.ProcessEnv;
  /** (Default: any free port each.) */
  ports?: Partial<PortChoices>;
  /** (Default: all but the console, which people need and programs do not.) */
  parts?: readonly PartName[];
  /** Whether its database survives a loss of power. (Default: true) */
  isDurable?: boolean;
  /** Whether a crashed part is started again; tests turn it off to look at the damage. (Default: true.) */
  restart?: boolean;
  /** Prints a line at the terminal. */
  log?: (line: string) => void;
  /** Called whenever a process came or went. */
  onChange?: () => void;
  /** Gives the start up: what runs is stopped again. */
  signal?: AbortSignal;
}

/**
 * In the order in which parts are stopped, each with the time it has for that. The database has what the others
 * leave of the whole: it has most to write.
 */
const graceMs = { console: 500, api: 2_500, worker: 3_000, processor: 1_000, temporal: 2_000, postgres: 500 };
export const allParts = Object.keys(graceMs) as PartName[];
const defaultParts = allParts.filter((kind) => kind !== 'console');
const stopWithinMs = 9_000;

/** With these set, the part runs elsewhere. */
const outsideSettings: Partial<Record<PartName, string>> = {
  postgres: 'DATABASE_URL',
  temporal: 'TEMPORAL_ADDRESS',
  processor: 'PROCESSOR_URL',
};

const readyTimeoutMs = 30_000;

/** A running stack. Its addresses stay the same while its parts come and go. */
export class Stack {
  readonly localDir: string;
  readonly secrets: LocalSecrets;
  readonly #options: StackOptions;
  readonly #given: NodeJS.ProcessEnv;
  readonly #context: LaunchContext;
  readonly #release: () => void;
  readonly #parts = new Map<string, { kind: PartName; part: Part }>();
  #database: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  /** @internal {@link startStack} makes it. */
  constructor(options: StackOptions, ports: LaunchContext['ports'], release: () => void) {
    this.#options = options;
    this.#given = withSecretFiles(options.env ?? process.env, serviceSecrets).env;
    this.#release = release;
    this.localDir = options.localDir;
    this.secrets = keepSecrets(options.localDir);
    this.#context = {
      localDir: options.localDir,
      ports,
      addresses: buildAddresses(this.#given, ports),
      secrets: this.secrets,
      isDurable: options.isDurable ?? true,
      log: (line) => options.log?.(line),
      env: () => this.env,
    };
  }

  get databaseUrl(): string {
    const { databaseUrl } = this.#context.addresses;
    if (!databaseUrl) throw new Error('this stack has no database');
    return databaseUrl;
  }

  get temporalAddress(): string {
    return this.#context.addresses.temporalAddress;
  }

  get temporalNamespace(): string {
    return this.#context.addresses.temporalNamespace;
  }

  /** Where the UI shows our namespace. Null when Temporal runs elsewhere. */
  get temporalUi(): string | null {
    return this.#context.addresses.temporalUi;
  }

  get processorUrl(): string {
    return this.#context.addresses.processorUrl;
  }

  get apiUrl(): string {
    return this.#context.addresses.apiUrl;
  }

  get consoleUrl(): string {
    return this.#context.addresses.consoleUrl;
  }

  /** Whether the demo accounts use Stripe's dialect of the sandbox. */
  get usesStripe(): boolean {
    return usesStripe(this.#given);
  }

  /** The metrics of the first API and the first worker. */
  get metricsUrls(): { api: string; worker: string } {
    const { apiMetrics, workerMetrics } = this.#context.ports;
    const at = (port: number) => `http://127.0.0.1:${port}/metrics`;
    return { api: at(apiMetrics), worker: at(workerMetrics) };
  }

  /** The whole environment of worker and API, for programs that join the stack. */
  get env(): NodeJS.ProcessEnv {
    return buildEnvironment(this.#given, this.#context.addresses, this.secrets, this.localDir);
  }

  /** @throws when the stack does not run it, but something elsewhere, or nothing. */
  part(name: string): Part {
    const entry = this.#parts.get(name);
    if (!entry) throw new Error(`this stack does not run ${name}`);
    return entry.part;
  }

  /** Changes settings of worker and API; who runs has them once it is started again. An empty one is not set. */
  changeSettings(settings: NodeJS.ProcessEnv): void {
    Object.assign(this.#given, settings);
  }

  /** The process that serves as this part now; null while it is down or runs elsewhere. */
  pid(name: PartName): number | null {
    return this.#parts.get(name)?.part.pid ?? null;
  }

  /** Every process of the stack. */
  get pids(): number[] {
    return [...this.#parts.values()].flatMap(({ part }) => part.pid ?? []);
  }

  /** Starts one more worker, with other settings; it stops with the stack. */
  async addWorker(env: NodeJS.ProcessEnv = {}): Promise<Part> {
    const part = this.#add('worker');
    // The first one's port is taken: by default this one has no metrics.
    await part.start({ METRICS_PORT: '', ...env });
    return part;
  }

  /** Starts one more API, on a port of its own, with other settings; it stops with the stack. */
  async addApi(env: NodeJS.ProcessEnv = {}): Promise<{ part: Part; url: string }> {
    const port = await freePort();
    const part = this.#add('api');
    // It is the same service: its links, and the issuer of its tokens, are those of the first.
    await part.start({
      PUBLIC_URL: this.env['PUBLIC_URL'] ?? this.#context.addresses.apiUrl,
      METRICS_PORT: '',
      ...env,
      PORT: String(port),
    });
    return { part, url: apiUrlAt({ ...this.env, ...env }, port) };
  }

  /** Stops everything, in order, within 10 s. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #stopAll(): Promise<void> {
    const deadline = Date.now() + stopWithinMs;
    for (const kind of allParts) {
      // A migration that is cut off would say so in its own words.
      if (kind === 'postgres') await this.#database?.catch(() => {});
      const these = [...this.#parts.values()].filter((entry) => entry.kind === kind);
      const grace = kind === 'postgres' ? Math.max(graceMs[kind], deadline - Date.now()) : graceMs[kind];
      await Promise.all(these.map(({ part }) => part.stop(grace)));
    }
    this.#release();
  }

  /** @internal Starts the parts, each as soon as what it needs is there. */
  async start(): Promise<void> {
    this.#options.signal?.addEventListener('abort', () => void this.stop());
    try {
      await this.#checkOutside();
      this.#database = this.#startDatabase();
      const temporal = (this.#isOnPostgres ? this.#database : Promise.resolve()).then(() =>
        this.#startPart('temporal'),
      );
      const processor = this.#startPart('processor');
      const api = this.#database.then(() => this.#startPart('api'));
      const worker = Promise.all([this.#database, temporal]).then(() => this.#startPart('worker'));
      const console = this.#startPart('console');
      await Promise.all([this.#database, temporal, processor, api, worker, console]);
      this.#options.signal?.throwIfAborted();
      if (this.#runs('api')) await untilAnswers(`${this.apiUrl}/readyz`, readyTimeoutMs);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  #wants(kind: PartName): boolean {
    return (this.#options.parts ?? defaultParts).includes(kind);
  }

  /** Returns whether the stack runs the part: settings may name one that runs elsewhere. */
  #runs(kind: PartName): boolean {
    const setting = outsideSettings[kind];
    return this.#wants(kind) && !(setting && this.#given[setting]);
  }

  get #isOnPostgres(): boolean {
    return isOnPostgres(this.#given);
  }

  /** Before anything is started, so that a wrong setting is all there is to see. */
  async #checkOutside(): Promise<void> {
    const { DATABASE_URL: database, TEMPORAL_ADDRESS: temporal } = this.#given;
    requireOwnSandbox(this.#given);
    if (database && this.#wants('postgres')) await requireDatabase(database);
    if (temporal && this.#wants('temporal')) await requireTemporal(this.#given, this.temporalNamespace);
    if (this.#runs('temporal')) requireNoTls(this.#given);
    if (this.#runs('temporal') && !this.#isOnPostgres)
      await findTemporal(this.#context.log, this.#given, this.#options.signal);
  }

  async #startDatabase(): Promise<void> {
    if (!this.#wants('postgres')) return;
    await this.#startPart('postgres');
    if (this.#stopped) return;
    try {
      await migrate(this.databaseUrl);
      await seedDemoAccounts(this.databaseUrl, this.secrets);
      const { env, secrets, processorUrl: url } = this;
      await seedStripe(this.databaseUrl, { env, secrets, url });
    } catch (error) {
      throw new LauncherError(`The database could not be brought up to date: ${(error as Error).message}`);
    }
  }

  async #startPart(kind: PartName): Promise<void> {
    if (this.#runs(kind) && !this.#stopped) await this.#add(kind).start();
  }

  #add(kind: PartName): Part {
    const count = [...this.#parts.values()].filter((entry) => entry.kind === kind).length;
    const name = count === 0 ? kind : `${kind}-${count + 1}`;
    const file = logFile(this.localDir, name);
    const part = new Part({
      name,
      logFile: file,
      launch: (env, signal) => launches[kind](this.#context, { logFile: file, env, signal }),
      restart: this.#options.restart ?? true,
      log: this.#context.log,
      onChange: () => this.#changed(),
    });
    this.#parts.set(name, { kind, part });
    return part;
  }

  #changed(): void {
    const pids = [...this.#parts].flatMap(([name, { kind, part }]): [string, number][] =>
      part.pid === null || kind === 'postgres' ? [] : [[name, part.pid]],
    );
    recordChildren(recordFile(this.localDir), new Map(pids));
    this.#options.onChange?.();
  }
}

const recordFile = (localDir: string) => join(localDir, 'children.json');

/**
 * Starts the stack, as much as possible at once, and resolves when every part answers. When it fails, nothing
 * is left running.
 *
 * @throws {LauncherError} one line that says what to do.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const localDir = resolve(options.localDir);
  mkdirSync(localDir, { recursive: true, mode: 0o711 });
  const log = options.log ?? (() => {});
  const release = await takeFolder(localDir, log);
  try {
    await endLeftovers(recordFile(localDir), log);
    const ports = await choosePorts(options.ports ?? {});
    const stack = new Stack({ ...options, localDir }, ports, release);
    await stack.start();
    return stack;
  } catch (error) {
    release();
    throw error;
  }
}
