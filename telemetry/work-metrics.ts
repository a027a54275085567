import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Seconds: an effect is a few milliseconds, a call to the processor up to 4 s, maintenance up to minutes. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

const circuitStates = ['closed', 'open', 'misconfigured'];

/** The worker's metrics of its work. None names an account or a resource. */
export class WorkMetrics {
  readonly #workflows: Counter;
  readonly #activities: Histogram;
  readonly #processorCalls: Histogram;
  readonly #circuits: Gauge;
  readonly #refused: Counter;
  readonly #maintenance: Counter;
  readonly #undecided: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#workflows = new Counter({
      name: 'payments_workflows_closed_total',
      help: 'Runs that came to an end here, by what came out of them.',
      labelNames: ['workflow', 'result'],
      registers,
    });
    this.#activities = new Histogram({
      name: 'payments_activity_seconds',
      help: 'Steps of workflows; one that failed is tried again.',
      labelNames: ['activity', 'outcome'],
      buckets,
      registers,
    });
    this.#processorCalls = new Histogram({
      name: 'payments_processor_call_seconds',
      help: 'Calls to the payment processor; an outcome that starts with processor_ gave no usable answer.',
      labelNames: ['processor', 'call', 'outcome'],
      buckets,
      registers,
    });
    this.#circuits = new Gauge({
      name: 'payments_processor_state',
      help: '1 for the state that a processor is in for this process; it appears with the first change.',
      labelNames: ['processor', 'state'],
      registers,
    });
    this.#refused = new Counter({
      name: 'payments_statements_refused_total',
      help: 'Statements that Postgres refused since they would break a constraint; each is a fault of ours or of the processor.',
      labelNames: ['statement', 'constraint'],
      registers,
    });
    this.#maintenance = new Counter({
      name: 'payments_upkeep_total',
      help: 'What the sweep repaired and retention deleted, by step.',
      labelNames: ['step'],
      registers,
    });
    this.#undecided = new Gauge({
      name: 'payments_undecided',
      help: 'Resources that the processor owes its word on for too long, as of the last sweep that ran here.',
      labelNames: ['step'],
      registers,
      // A value that moved to another worker must no longer be reported by this one.
      collect: () => this.#forgetOldCounts(),
    });
  }

  workflowClosed(workflow: string, result: string): void {
    this.#workflows.inc({ workflow, result });
  }

  activityEnded(activity: string, outcome: 'completed' | 'failed', seconds: number): void {
    this.#activities.observe({ activity, outcome }, seconds);
  }

  processorCalled(processor: string, call: string, outcome: string, seconds: number): void {
    this.#processorCalls.observe({ processor, call, outcome }, seconds);
  }

  /** @param state of the processor's circuit; the others are 0. */
  circuitChanged(processor: string, state: string): void {
    for (const one of circuitStates) this.#circuits.set({ processor, state: one }, one === state ? 1 : 0);
  }

  statementRefused(statement: string, constraint: string): void {
    this.#refused.inc({ statement, constraint });
  }

  /** Records the count of a task of maintenance: how many it repaired, or, of one that only counts, how many there are. */
  maintenanceDone(step: string, count: number): void {
    if (!step.startsWith('count')) return this.#maintenance.inc({ step }, count);
    this.#undecided.set({ step }, count);
    this.#countedAt = performance.now();
  }

  #countedAt = -Infinity;

  #forgetOldCounts(): void {
    if (performance.now() - this.#countedAt > staleMs) this.#undecided.reset();
  }
}

/** Several runs of the sweep, which any worker may take. */
const staleMs = 150_000;
