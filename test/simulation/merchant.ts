import { insertAccount } from '#db/access/accounts.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { requestCancel } from '#db/payments/charges.ts';
import { storeNotification } from '#db/payments/processor-notifications.ts';
import type { Random } from '../chaos/random.ts';
import { sampleCharge } from '../support/resources/sample-charge.ts';
import { Caller, type Request } from './callers.ts';
import type { Clock } from './clock.ts';
import type { FailedLate } from './ledger.ts';
import { Execution, type ExecutionDeps } from './executions.ts';
import type { Scenario, Wish } from './scenario.ts';
import type { Trace } from './trace.ts';

export interface MerchantDeps extends ExecutionDeps {
  /** Sees the simulated time. */
  db: Database;
  /** For what does not ask for the time. */
  pool: Database;
  clock: Clock;
  trace: Trace;
  random: Random;
  scenario: Scenario;
}

interface Ids {
  claimId: string;
  resourceId: string;
}

interface OpenRow {
  kind: 'charge' | 'refund';
  id: string;
  claim_id: string;
  is_to_wake: boolean;
}

const hasNews = `exists (select from processor_notifications n where n.key = id and n.delivered_at is null)`;

/** One account: its callers, and the runs that answer them. */
export class Merchant {
  readonly accountId = newId('account');
  /** The first one makes the charge. */
  readonly callers: Caller[] = [];
  /** The newest run of each workflow id. */
  readonly executions = new Map<string, Execution>();
  /** All runs that there ever were. */
  readonly runs: Execution[] = [];
  readonly #deps: MerchantDeps;
  #news = 0;

  constructor(deps: MerchantDeps) {
    this.#deps = deps;
    deps.trace.name(this.accountId);
  }

  get charge(): Caller {
    return this.callers[0]!;
  }

  /** Makes the account, and asks for the charge. */
  async begin(): Promise<void> {
    const { pool, scenario } = this.#deps;
    await insertAccount(pool, { id: this.accountId, name: 'Simulated' });
    const { amount, captureMethod, returnUrl } = scenario.charge;
    const { id: _id, ...sample } = sampleCharge;
    const body = { ...sample, amount, captureMethod, returnUrl, customerId: null, processorId: null };
    this.#call({
      name: 'charge',
      endpoint: 'POST /v1/charges',
      body,
      resourceId: null,
      makes: 'charge',
      run: (ids) => this.#chargeRun(ids),
    });
  }

  /** A caller asks for something more, if what it is about is there: else the API would answer 404. */
  async grant(wish: Wish): Promise<void> {
    const chargeId = this.charge.resourceId!;
    if (wish.ask === 'cancel') return this.#cancel(chargeId);
    if (wish.ask === 'repeat') return this.charge.told === null ? this.charge.repeat() : undefined;
    if (wish.ask === 'reverse') return this.#reverse();
    if (!(await this.#isThere('charges', chargeId))) return;
    if (wish.ask === 'capture') this.#capture(chargeId, wish.amount);
    if (wish.ask === 'refund') this.#refund(chargeId, wish.amount, wish.respondAsync);
  }

  /** Stores that the processor has news of a charge or a refund, and wakes its run if one is open. */
  async tellNews(key: string): Promise<void> {
    await storeNotification(this.#deps.db, { id: `${this.accountId}/${(this.#news += 1)}`, key });
    const caller = this.callers.find(({ resourceId, request }) => resourceId === key && request.makes);
    const run = caller && this.executions.get(this.#workflowId(caller.request.name));
    if (run) this.#wake(run);
  }

  /** Starts lost runs, and wakes those with a cancel or news on their rows, as the sweep does. Returns how many rows are open. */
  async resumeOpen(): Promise<number> {
    const { rows } = await this.#deps.pool.raw<{ rows: OpenRow[] }>(
      `select 'charge' as kind, id, claim_id, cancel_requested_at is not null or ${hasNews} as is_to_wake
       from charges where account_id = ? and status in ('pending', 'requires_action', 'requires_capture')
       union all select 'refund', id, claim_id, ${hasNews}
       from refunds where account_id = ? and status in ('pending', 'processed') order by kind, id`,
      [this.accountId, this.accountId],
    );
    for (const { kind, id: resourceId, claim_id: claimId, is_to_wake: isToWake } of rows) {
      const ids = { claimId, resourceId };
      const run = kind === 'charge' ? this.#chargeRun(ids) : this.#refundRun(ids);
      if (isToWake) run.signal('wake');
    }
    return rows.length;
  }

  /** Returns those that failed late whose rows are at their end, and do not say so yet. */
  async listStale({ captures, voids, refunds }: FailedLate): Promise<string[]> {
    const { rows } = await this.#deps.pool.raw<{ rows: { id: string }[] }>(
      `select id from charges where id = any(?) and status = 'succeeded' and amount_returned = 0
       union all select id from charges
         where id = any(?) and status in ('failed', 'cancelled') and void_reason is not null
       union all select id from refunds where id = any(?) and status = 'settled' order by id`,
      [captures, voids, refunds],
    );
    return rows.map(({ id }) => id);
  }

  async #cancel(chargeId: string): Promise<void> {
    const { db, trace } = this.#deps;
    const asked = await requestCancel(db, this.accountId, chargeId, null, true);
    trace.write('caller', `cancels: ${asked ? asked.status : 'too late'}`);
    const run = this.executions.get(this.#workflowId('charge'));
    if (asked && run) this.#wake(run);
  }

  #capture(chargeId: string, amount: number | null): void {
    this.#call({
      name: `capture-${this.callers.length}`,
      endpoint: 'POST /v1/charges/{id}:capture',
      body: { amount },
      resourceId: chargeId,
      isCommand: true,
      run: () => this.#chargeRun({ claimId: this.charge.claimId!, resourceId: chargeId }),
    });
  }

  #refund(chargeId: string, amount: number | null, respondAsync: boolean): void {
    this.#call({
      name: `refund-${this.callers.length}`,
      endpoint: 'POST /v1/refunds',
      body: { chargeId, amount, reason: null, metadata: {} },
      resourceId: null,
      makes: 'refund',
      run: (ids) => this.#refundRun(ids, respondAsync),
    });
  }

  async #reverse(): Promise<void> {
    const made = this.callers.filter(({ request, resourceId }) => request.makes === 'refund' && resourceId);
    if (made.length === 0) return;
    const { resourceId, claimId } = this.#deps.random.pick(made);
    if (!(await this.#isThere('refunds', resourceId!))) return;
    this.#call({
      name: `reversal-${this.callers.length}`,
      endpoint: 'POST /v1/refunds/{id}:cancel',
      body: {},
      resourceId,
      isCommand: true,
      run: () => this.#refundRun({ claimId: claimId!, resourceId: resourceId! }),
    });
  }

  async #isThere(table: 'charges' | 'refunds', id: string): Promise<boolean> {
    return (await this.#deps.pool(table).where({ id })).length > 0;
  }

  #call(request: Request): void {
    const { db, clock, trace } = this.#deps;
    const wake = (run: Execution) => this.#wake(run);
    this.callers.push(new Caller({ db, clock, trace, accountId: this.accountId, wake }, request));
  }

  /** Wakes a run, unless the wake is lost. */
  #wake(run: Execution): void {
    const { random, scenario, trace } = this.#deps;
    const isLost = random.chance(scenario.lostWakes);
    trace.write('caller', `wakes ${run.label}${isLost ? ', unheard' : ''}`);
    if (!isLost) run.signal('wake');
  }

  #workflowId(name: string): string {
    return `${name}/${this.accountId}`;
  }

  #chargeRun({ claimId, resourceId: chargeId }: Ids): Execution {
    const { charge, chargeDurations: durations } = this.#deps.scenario;
    const { accountId } = this;
    const { respondAsync } = charge;
    return this.#run('charge', 'charge', { accountId, chargeId, claimId, respondAsync, durations });
  }

  #refundRun({ claimId, resourceId: refundId }: Ids, respondAsync = false): Execution {
    const { refundDurations: durations } = this.#deps.scenario;
    const { accountId } = this;
    const input = { accountId, refundId, claimId, respondAsync, durations };
    const isMaker = ({ request, resourceId }: Caller) =>
      request.makes === 'refund' && resourceId === refundId;
    const { name } = this.callers.find(isMaker)!.request;
    return this.#run(name, 'refund', input);
  }

  /** Finds the open run of this name, or starts one. */
  #run(name: string, type: string, input: object): Execution {
    const workflowId = this.#workflowId(name);
    const known = this.executions.get(workflowId);
    if (known && known.end === null) return known;
    const earlier = this.runs.filter((one) => one.workflowId === workflowId).length;
    const label = earlier === 0 ? name : `${name}~${earlier + 1}`;
    const execution = new Execution(this.#deps, { workflowId, type, input, label });
    this.executions.set(workflowId, execution);
    this.runs.push(execution);
    return execution;
  }
}
