import { taskQueues } from '#temporal/queues.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { asyncLocalStorage } from '@temporalio/activity';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker, type ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createPaymentActivities } from '#activities/index.ts';
import type { StepDeps } from '#activities/payments/settle.ts';
import type { StoredAnswer } from '#db/writes/idempotency-keys.ts';
import { firstStepsMs } from '#domain/processor-calls.ts';
import type { Config } from '#startup/config.ts';
import { traceClient } from '#telemetry/temporal-client.ts';
import type { Tracing } from '#telemetry/tracing.ts';
import type { WorkMetrics } from '#telemetry/work-metrics.ts';
import { startOptions, type ClaimStart } from '#temporal/client/starts.ts';
import { workflowBundle } from './bundle.ts';
import { observeWork } from './observation.ts';
import { hostedOptions } from './options.ts';
import { installRuntime } from './runtime.ts';

/**
 * Runs of charges and refunds in the process of the API. Temporal answers the start of a run with its first workflow task
 * ("eager start"), and the task's step hands the stored answer to the request in memory: no update, no queue, no read.
 * What happens after the first step is for any worker of the queue.
 */

/** The answer of the claim, or why there is none. */
export type HostedResult =
  | StoredAnswer
  /** The run is open: another worker has it, or its first step left the outcome open. */
  | 'open'
  /** This process does not reach Temporal yet. */
  | 'not_started'
  /** Temporal did not take the start in time; the run may still begin. */
  | 'unavailable';

type Host = Pick<Config, 'temporal' | 'localDir' | 'publicUrl' | 'secretsKey'>;

interface HostedRunsOptions extends Pick<StepDeps, 'db' | 'processors'> {
  config: Host;
  log: Logger;
  metrics: WorkMetrics | null;
  tracing: Tracing | null;
  /** Whether Temporal answers, within so many milliseconds. */
  isUp: (withinMs: number) => Promise<boolean>;
}

/** How long a start may take until it is asked whether Temporal is there, in milliseconds: the SDK would retry for 10 s. */
const startWithinMs = 1_200;

/** How long that answer may take, in milliseconds. */
const isUpWithinMs = 500;

/** How long a request waits for the first step in memory, in milliseconds. Then it looks at the claim. */
const answerWithinMs = firstStepsMs + 800;

/** How long Temporal may take to hear that this worker leaves, in milliseconds: the SDK itself would wait for 8 s. */
const leaveWithinMs = 2_000;

/** The pause between attempts to reach Temporal, in milliseconds. */
const reconnectMs = 1_000;

interface Connected {
  connection: NativeConnection;
  client: Client;
  worker: Worker;
  /** Settles when the worker has stopped. */
  running: Promise<void>;
}

export class HostedRuns {
  readonly #options: HostedRunsOptions;
  /** Requests that wait for an answer, by claim. */
  readonly #waiting = new Map<string, (result: HostedResult) => void>();
  readonly #stopping = new AbortController();
  readonly #hosting: Promise<void>;
  /** The runtime's own metrics. */
  #sdkMetrics: (() => Promise<string>) | null = null;
  /** `null` while Temporal cannot be reached. */
  #connected: Connected | null = null;
  /** Steps that run now. */
  #steps = 0;

  /** Connects in the background; until then, {@link run} leaves every run to other workers. */
  constructor(options: HostedRunsOptions) {
    this.#options = options;
    this.#hosting = this.#host();
  }

  /** Starts the run of a fresh claim in this process, and waits until its first step has answered. */
  async run(start: ClaimStart): Promise<HostedResult> {
    const { client } = this.#connected ?? {};
    if (!client) return 'not_started';
    const claimId = start.memo.claim_id;
    return new Promise((resolve) => {
      const end = (result: HostedResult) => {
        clearTimeout(timer);
        this.#waiting.delete(claimId);
        resolve(result);
      };
      // The step may end before its start is reported.
      const onBegun = (begun: 'started' | 'open' | 'unavailable') => {
        if (!this.#waiting.has(claimId)) return;
        if (begun !== 'started') return end(begun);
        clearTimeout(timer);
        timer = setTimeout(end, answerWithinMs, 'open');
      };
      // A slow Temporal is waited for: another call would only add to its load.
      const ask = () =>
        void this.#options.isUp(isUpWithinMs).then((isUp) => onBegun(isUp ? 'started' : 'unavailable'));
      let timer = setTimeout(ask, startWithinMs);
      this.#waiting.set(claimId, end);
      void this.#start(client, start).then(onBegun);
    });
  }

  /** Returns the metrics of the SDK, as text. */
  async readSdkMetrics(): Promise<string> {
    return (await this.#sdkMetrics?.()) ?? '';
  }

  /** Finishes the steps under way. Then it waits for Temporal, which may be away, for a short time only. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.#connected?.worker.shutdown();
    await Promise.race([this.#hosting, this.#leave()]);
  }

  async #leave(): Promise<void> {
    while (this.#steps > 0) await sleep(50);
    await sleep(leaveWithinMs);
  }

  async #start(client: Client, start: ClaimStart): Promise<'started' | 'open' | 'unavailable'> {
    const options = startOptions(start, this.#options.config.temporal);
    try {
      const handle = await client.workflow.start(start.workflow, { ...options, requestEagerStart: true });
      return handle.eagerlyStarted ? 'started' : 'open';
    } catch (error) {
      this.#options.log.warn({ err: error, claim: start.memo.claim_id }, 'Temporal did not start the run');
      return 'unavailable';
    }
  }

  /** Keeps a worker until the process stops. */
  async #host(): Promise<void> {
    const { log, metrics } = this.#options;
    this.#sdkMetrics = await installRuntime(log, metrics !== null);
    while (!this.#stopping.signal.aborted) {
      try {
        this.#connected = await this.#connect();
        log.info('this process runs charges and refunds');
        await this.#connected.running;
      } catch (error) {
        log.warn({ err: error }, 'Temporal cannot be reached: only workers run charges until it can');
        await sleep(reconnectMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      } finally {
        await this.#connected?.connection.close();
        this.#connected = null;
      }
    }
  }

  async #connect(): Promise<Connected> {
    const { config, db, processors, metrics, tracing } = this.#options;
    const { namespace } = config.temporal;
    const [connection, bundle] = await Promise.all([
      NativeConnection.connect(config.temporal.connection),
      workflowBundle(config.localDir),
    ]);
    const observation = observeWork({ metrics, tracing });
    const { publicUrl, secretsKey } = config;
    const onAnswered = (claimId: string, answer: StoredAnswer) => this.#waiting.get(claimId)?.(answer);
    const worker = await Worker.create({
      ...hostedOptions,
      ...observation,
      interceptors: {
        activity: [this.#followStep(connection), ...(observation.interceptors.activity ?? [])],
      },
      connection,
      namespace,
      taskQueue: taskQueues.charges,
      workflowBundle: bundle,
      activities: createPaymentActivities({ db, processors, publicUrl, secretsKey, onAnswered }),
    });
    const interceptors = { workflow: tracing ? [traceClient()] : [] };
    const client = new Client({ connection, namespace, interceptors });
    return { connection, client, worker, running: worker.run() };
  }

  /**
   * Tells the request of a step that the step has ended, with or without an answer.
   *
   * The SDK passes each step its context in `AsyncLocalStorage`s. From their first use on, Node 20 and 22 follow every
   * promise of the process, which costs a read a fifth of its time. So they are disabled whenever no step runs.
   */
  #followStep(connection: NativeConnection): ActivityInterceptorsFactory {
    return () => ({
      inbound: {
        execute: async (input, next) => {
          this.#steps += 1;
          try {
            return await next(input);
          } finally {
            const [{ claimId }] = input.args as [{ claimId: string }];
            this.#waiting.get(claimId)?.('open');
            this.#steps -= 1;
            if (this.#steps === 0)
              for (const storage of [asyncLocalStorage, connection.callContextStorage]) storage.disable();
          }
        },
      },
    });
  }
}
