import { randomBytes } from 'node:crypto';
import { createPaymentActivities } from '#activities/index.ts';
import { askForEnded } from '#activities/payments/ended-payments.ts';
import type { SecretsKeys } from '#db/encryption.ts';
import { deleteStaleClaims } from '#db/writes/idempotency-keys.ts';
import { createRandom, type Random } from '../chaos/random.ts';
import { fixedProcessor } from '../support/resources/fixed-processor.ts';
import { Actor, type Call, type Fate } from './actors.ts';
import type { Caller } from './callers.ts';
import type { Clock } from './clock.ts';
import type { SimulatedDatabase } from './database.ts';
import type { Execution } from './executions.ts';
import { isLate, type Step } from './steps.ts';
import { ProcessorLedger } from './ledger.ts';
import { Merchant } from './merchant.ts';
import { openProcessor } from './processor.ts';
import type { Plant } from './plants.ts';
import type { Workflows } from './sandbox.ts';
import { drawScenario, type Scenario } from './scenario.ts';
import { Trace } from './trace.ts';

/** What simulations share: a database, and the workflows. */
export interface Rig {
  clock: Clock;
  database: SimulatedDatabase;
  workflows: Workflows;
}

/** Something that can happen now. */
interface Choice {
  weight: number;
  run: () => Promise<void> | void;
}

const workers = ['worker-1', 'worker-2'];
const secretsKey: SecretsKeys = [{ id: '', key: randomBytes(32) }];

/** One account, its callers, its processor and its runs, and all that can befall them. The seed chooses what happens next. */
export class World {
  readonly trace: Trace;
  readonly scenario: Scenario;
  readonly ledger: ProcessorLedger;
  readonly merchant: Merchant;
  readonly #rig: Rig;
  readonly #random: Random;
  #actors: Actor[] = [];
  #late: { name: string; effect: () => unknown }[] = [];
  #news: string[] = [];
  readonly #slow = new WeakSet<Actor>();
  #isCalm = false;
  #steps = 0;

  constructor(rig: Rig, seed: string, plant: Plant | null = null) {
    this.#rig = rig;
    this.#random = createRandom(seed);
    this.scenario = { ...drawScenario(this.#random.fork('scenario')), ...plant?.scenario };
    this.trace = new Trace(rig.clock);
    this.ledger = new ProcessorLedger(this.#random.fork('processor'), this.scenario.traits, plant?.processor);
    const { clock, database, workflows } = rig;
    this.merchant = new Merchant({
      clock,
      workflows,
      db: database.db,
      pool: database.pool,
      trace: this.trace,
      random: this.#random,
      scenario: this.scenario,
      longestHistory: this.scenario.longestHistory,
      startStep: (execution, step, worker) => this.#startStep(execution, step, worker),
    });
  }

  /** Lets one thing happen. Returns `false` if nothing can. */
  async step(): Promise<boolean> {
    this.#steps += 1;
    const choices = this.#listChoices();
    if (choices.length === 0) return this.#advance();
    const time: Choice = { weight: this.#isCalm ? 0 : this.scenario.haste, run: () => void this.#advance() };
    const chosen = this.#random.weighted([...choices, time].map((one) => [one.weight, one] as const));
    await chosen.run();
    return true;
  }

  /** From now on nothing fails, and what was lost is found by the sweep. */
  async calm(): Promise<void> {
    this.#isCalm = true;
    this.trace.write('world', 'is calm from now on');
    await this.sweep();
  }

  /** What the sweep of the product does. Returns whether anything is open. */
  async sweep(): Promise<boolean> {
    await deleteStaleClaims(this.#rig.database.db, 100);
    this.ledger.decideAll();
    const isOpen = (await this.merchant.resumeOpen()) > 0;
    const stale = await this.merchant.listStale(this.ledger.failedLate);
    // As reconciliation does: the books say that a row is wrong.
    for (const id of stale) await this.#askForEnded(id);
    return isOpen || stale.length > 0;
  }

  #listChoices(): Choice[] {
    return [
      ...[...this.merchant.executions.values()].flatMap((execution) => this.#listOfExecution(execution)),
      ...this.#actors.flatMap((actor) => this.#listOfActor(actor)),
      ...this.merchant.callers.flatMap((caller) => this.#listOfCaller(caller)),
      ...this.#late.map((late) => ({ weight: 1, run: () => this.#takeEffect(late) })),
      ...this.#news.map((key) => ({ weight: 1, run: () => this.#tellNews(key) })),
      ...(this.#isCalm ? [] : this.#listMishaps()),
    ];
  }

  #listOfExecution(execution: Execution): Choice[] {
    if (execution.end !== null) return [];
    const { losses } = this.scenario;
    const choices: Choice[] = [];
    const add = (weight: number, run: Choice['run']) => choices.push({ weight, run });
    if (execution.hasNews) add(3, () => execution.takeTask(this.#pickWorker(execution)));
    if (execution.task && !execution.hasLocalSteps) add(3, () => execution.completeTask());
    if (execution.task && !this.#isCalm) add(losses.task, () => this.#loseTask(execution));
    if (execution.hasLocalSteps && execution.hasLaterNews) add(0.3, () => execution.prolongTask());
    for (const step of execution.steps.values()) {
      if (step.isLocal && !execution.task) continue;
      if (step.dueMs !== null && step.dueMs <= this.#rig.clock.nowMs)
        add(3, () => execution.startAttempt(step, this.#pickWorker(execution)));
      else if (isLate(step, this.#rig.clock.nowMs)) add(2, () => this.#timeOut(execution, step));
    }
    return choices;
  }

  #listOfActor(actor: Actor): Choice[] {
    const { call } = actor;
    if (!call) return [];
    const isSlow = this.#slow.has(actor) && !this.#isCalm;
    return [{ weight: isSlow ? 0.1 : 3, run: () => this.#stepActor(actor) }];
  }

  #listOfCaller(caller: Caller): Choice[] {
    const { dueMs, isWaiting } = caller;
    const isDue = dueMs !== null && dueMs <= this.#rig.clock.nowMs;
    if (isDue || (isWaiting && !this.#isCalm)) return [{ weight: isDue ? 2 : 0.1, run: () => caller.act() }];
    return [];
  }

  #listMishaps(): Choice[] {
    const { losses, wishes, lateFailures } = this.scenario;
    const open = [...this.merchant.executions.values()].filter(({ end }) => end === null);
    return [
      ...workers.map((worker) => ({ weight: losses.worker, run: () => this.#kill(worker) })),
      ...open.map((execution) => ({ weight: losses.run, run: () => this.#loseRun(execution) })),
      ...this.ledger.listDeeds().map((deed) => ({ weight: 0.2, run: () => this.#processorActs(deed) })),
      ...(lateFailures === 0 ? [] : this.ledger.listLateFailures()).map((deed) => ({
        weight: lateFailures,
        run: () => this.#processorActs(deed),
      })),
      ...(this.#mayAsk ? wishes.slice(0, 1) : []).map((wish) => ({
        weight: 0.7,
        run: () => this.merchant.grant(wishes.splice(wishes.indexOf(wish), 1)[0]!),
      })),
    ];
  }

  get #mayAsk(): boolean {
    const { told, resourceId } = this.merchant.charge;
    return this.scenario.isPatient ? told !== null : resourceId !== null;
  }

  #pickWorker(execution: Execution): string {
    return execution.worker && this.#random.chance(0.9) ? execution.worker : this.#random.pick(workers);
  }

  async #stepActor(actor: Actor): Promise<void> {
    const call = actor.call!;
    const fate = this.#drawFate(call);
    this.trace.write(actor.worker, `${actor.name}: ${call.name}, ${fate}`);
    await actor.step(fate);
    await this.#lookAt(actor);
  }

  #drawFate({ kind }: Call): Fate {
    if (this.#isCalm) return 'done';
    const { fates, outage } = this.scenario;
    const isAway = this.#steps >= outage.from && this.#steps < outage.to;
    if (kind === 'processor' && isAway) return this.#random.pick(['not_sent', 'refused']);
    return this.#random.weighted(fates[kind]);
  }

  async #lookAt(actor: Actor): Promise<void> {
    if (!actor.end) return;
    this.#actors = this.#actors.filter((one) => one !== actor);
    const { end } = actor;
    const said = 'error' in end ? `fails: ${(end.error as Error).message}` : JSON.stringify(end.value);
    this.trace.write(actor.worker, `${actor.name}: ${said}`);
    for (const execution of this.merchant.executions.values()) await execution.hear(actor);
  }

  async #startStep(execution: Execution, step: Step, worker: string): Promise<Actor> {
    const actor = new Actor(`${execution.label}/${step.name}-${step.seq}.${step.attempt}`, worker);
    const steps = createPaymentActivities(this.#openDeps(actor));
    const step_ = steps[step.name as keyof typeof steps] as (input: unknown) => Promise<unknown>;
    await actor.start(() => step_(step.input));
    this.#actors.push(actor);
    if (this.#random.chance(this.scenario.slowness)) this.#slow.add(actor);
    return actor;
  }

  #openDeps(actor: Actor) {
    const { prepares } = this.scenario.traits;
    const later = (name: string, effect: () => unknown) => this.#late.push({ name, effect });
    return {
      db: this.#rig.database.forActor(actor),
      processors: fixedProcessor(openProcessor(this.ledger, prepares, actor, later)),
      secretsKey,
      publicUrl: 'https://payments.example',
    };
  }

  /** As the sweep does, for a row at its end. */
  async #askForEnded(id: string): Promise<void> {
    const name = this.trace.name(`ask for ${id}`);
    const actor = new Actor(name, this.#random.pick(workers));
    await actor.start(() => askForEnded(this.#openDeps(actor), id));
    this.#actors.push(actor);
  }

  async #timeOut(execution: Execution, step: Step): Promise<void> {
    this.trace.write('temporal', `${execution.label}: ${step.name}-${step.seq} takes too long`);
    await execution.timeOut(step);
  }

  async #loseTask(execution: Execution): Promise<void> {
    this.trace.write('temporal', `${execution.label}: its task is lost`);
    await execution.loseTask();
  }

  async #loseRun(execution: Execution): Promise<void> {
    this.trace.write('temporal', `${execution.label}: is lost`);
    await execution.vanish();
  }

  /** Everything in the process is gone; what it had sent may arrive all the same. */
  async #kill(worker: string): Promise<void> {
    this.trace.write(worker, 'is killed');
    const own = this.#actors.filter((actor) => actor.worker === worker);
    this.#actors = this.#actors.filter((actor) => actor.worker !== worker);
    for (const actor of own) await actor.die(this.#random.chance(0.5));
    for (const execution of this.merchant.executions.values()) {
      if (execution.worker !== worker) continue;
      await (execution.task ? execution.loseTask() : execution.evict());
    }
  }

  #takeEffect(late: { name: string; effect: () => unknown }): void {
    this.#late = this.#late.filter((one) => one !== late);
    late.effect();
    this.trace.write('processor', `${late.name} takes effect late`);
  }

  #processorActs({ key, name, run }: { key: string; name: string; run: () => void }): void {
    run();
    this.trace.write('processor', `${key} ${name}`);
    if (this.#random.chance(0.7)) this.#news.push(key);
  }

  async #tellNews(key: string): Promise<void> {
    if (this.#random.chance(0.8)) this.#news = this.#news.filter((one) => one !== key);
    this.trace.write('processor', `notifies of ${key}`);
    await this.merchant.tellNews(key);
    const stale = await this.merchant.listStale(this.ledger.failedLate);
    if (stale.includes(key)) await this.#askForEnded(key);
  }

  /** Lets time pass until something is due. Returns `false` if nothing ever will be. */
  #advance(): boolean {
    const { clock } = this.#rig;
    if (this.#isCalm) this.ledger.decideAll();
    const due = [...this.merchant.executions.values()].flatMap((execution) => execution.listDue());
    // Time would leap to the ends of the callers' windows.
    const callers = this.merchant.callers.filter(({ isWaiting }) => this.#isCalm || !isWaiting);
    const calls = callers.flatMap(({ dueMs }) => (dueMs === null ? [] : [dueMs]));
    const next = [...due, ...calls].filter((ms) => ms > clock.nowMs);
    if (next.length === 0) return false;
    const soonest = Math.min(...next);
    clock.nowMs = soonest + (this.#isCalm ? 0 : this.#random.pick([0, 0, 1, 500, 20_000]));
    for (const execution of this.merchant.executions.values()) execution.fireTimers();
    return true;
  }
}
