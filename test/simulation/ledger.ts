import type { BookEntry } from '../support/stack/environment.ts';
import type { Random } from '../chaos/random.ts';
import { ProcessorFault } from '#processor/port.ts';
import type { Plant } from './plants.ts';
import type { Scenario } from './scenario.ts';
import type {
  CaptureOutcome,
  ChargeOutcome,
  RefundOutcome,
  SentCapture,
  SentCharge,
  SentRefund,
} from '#processor/port.ts';

/** A payment as the processor has it. */
interface Payment {
  key: string;
  amount: number;
  status:
    | 'new'
    | 'pending'
    | 'action'
    | 'confirmed'
    | 'authorized'
    | 'captured'
    | 'declined'
    | 'voided'
    | 'capture_failed';
  /** What its void gave back; 0: a reservation, or nothing. */
  givenBack: number;
  /** Its void failed later. It does so once. */
  wasUnvoided: boolean;
  /** Takes the money at once. */
  capture: boolean;
  captured: number;
  refunded: number;
  /** The first answer to each attempt, which it repeats. */
  answers: Map<number, ChargeOutcome>;
  /** Attempts under which it keeps a failure. */
  failures: Set<number>;
}

interface Repayment {
  payment: Payment | null;
  key: string;
  amount: number;
  status: 'pending' | 'processed' | 'failed' | 'reversed';
  hasFailedLate: boolean;
  first: RefundOutcome;
}

/** Keys of what failed after it was confirmed. */
export type FailedLate = Record<'captures' | 'voids' | 'refunds', string[]>;

const id = { processorId: 'p' };
const noCard = { declineCode: 'generic_decline', message: 'Declined' } as const;

/**
 * The processor's side: what it decides, by the seed, and what moved. It keeps the promises of the port, and no others: a
 * key gets its first answer again, and a void is remembered.
 */
export class ProcessorLedger {
  readonly books: BookEntry[] = [];
  readonly #payments = new Map<string, Payment>();
  readonly #captures = new Map<string, CaptureOutcome>();
  readonly #refunds = new Map<string, Repayment>();
  readonly #random: Random;
  readonly #traits: Scenario['traits'];
  readonly #broken: Plant['processor'];
  #refs = 0;

  /** @param broken the promise that it does not keep. (Default: it keeps them all) */
  constructor(random: Random, traits: Scenario['traits'], broken?: Plant['processor']) {
    this.#random = random;
    this.#traits = traits;
    this.#broken = broken;
  }

  /** Whether what it refuses takes place. */
  get isLying(): boolean {
    return this.#broken === 'refuses_and_does';
  }

  prepare(): { kind: 'prepared'; ref: string } {
    this.#refs += 1;
    return { kind: 'prepared', ref: `ref_${this.#refs}` };
  }

  authorize(sent: SentCharge): ChargeOutcome {
    const payment = this.#find(sent) ?? this.#make(sent);
    if (this.#isForgotten(payment)) return this.#decideAnew(payment, sent);
    if (payment.status === 'voided' || payment.status === 'capture_failed') return this.#present(payment)!;
    const known = payment.answers.get(this.#attempt(sent));
    if (known) return known;
    const outcome = this.#isOpen(payment) ? this.#decide(payment, sent) : this.#present(payment)!;
    payment.answers.set(this.#attempt(sent), outcome);
    return outcome;
  }

  findCharge(sent: SentCharge): ChargeOutcome | null {
    const payment = this.#find(sent);
    return payment && this.#present(payment);
  }

  void(sent: SentCharge, onlyReserved = false): { kind: 'voided' } {
    if (onlyReserved && this.#broken !== 'hides_captures' && this.#find(sent)?.status === 'captured')
      throw new ProcessorFault(
        'processor_unavailable',
        'It was captured before its reservation was released',
      );
    const payment = this.#find(sent) ?? this.#make(sent);
    if (['declined', 'voided', 'capture_failed'].includes(payment.status)) return { kind: 'voided' };
    const isReserved = payment.status === 'authorized';
    const held = isReserved ? payment.amount : payment.captured - payment.refunded;
    payment.givenBack = isReserved ? 0 : held;
    payment.status = 'voided';
    this.#enter(payment, 'void', payment.key, held);
    return { kind: 'voided' };
  }

  capture({ key, charge, amount }: SentCapture): CaptureOutcome {
    const known = this.#captures.get(key);
    if (known) return known;
    const payment = this.#find(charge);
    const isTaken = payment?.status === 'authorized' && !this.#random.chance(0.15);
    const outcome: CaptureOutcome = isTaken
      ? { kind: 'captured', amountCaptured: amount }
      : { kind: 'declined', ...noCard };
    this.#captures.set(key, outcome);
    if (isTaken) this.#take(payment, amount, key);
    return outcome;
  }

  findCapture({ key }: { key: string }): CaptureOutcome | null {
    return this.#captures.get(key) ?? null;
  }

  refund({ key, charge, amount }: SentRefund): RefundOutcome {
    const known = this.#refunds.get(key);
    if (known) return known.status === 'reversed' ? { kind: 'reversed', ...id } : known.first;
    const payment = this.#find(charge);
    const canBe = payment?.status === 'captured' && amount <= payment.captured - payment.refunded;
    const status = canBe ? this.#random.weighted([[6, 'processed'], [2, 'pending'], [1, 'failed']] as const) : 'failed'; // prettier-ignore
    const first = { kind: 'pending', ...id } as const;
    const made: Repayment = { payment, key, amount, status: 'pending', hasFailedLate: false, first };
    this.#refunds.set(key, made);
    if (payment && status !== 'failed') payment.refunded += amount;
    if (status !== 'pending') this.#settleRefund(made, status);
    made.first = this.#presentRefund(made);
    return made.first;
  }

  reverseRefund(key: string): RefundOutcome {
    const refund = this.#refunds.get(key);
    if (!refund) return { kind: 'failed', ...id, code: 'not_found', message: 'There is no such refund' };
    const isLive = refund.status === 'processed' || refund.status === 'pending';
    if (isLive && refund.payment?.status === 'captured' && !this.#random.chance(0.2)) {
      const moved = refund.status === 'processed' ? refund.amount : 0;
      refund.status = 'reversed';
      refund.payment.refunded -= refund.amount;
      this.#enter(refund.payment, 'refund_reversal', key, moved);
    }
    return this.#presentRefund(refund);
  }

  findRefund(key: string): RefundOutcome | null {
    const refund = this.#refunds.get(key);
    return refund ? this.#presentRefund(refund) : null;
  }

  /** Keeps a failure under the key of this attempt. Returns `false` if the attempt has an answer. */
  storeFailure(sent: SentCharge): boolean {
    const payment = this.#find(sent) ?? this.#make(sent);
    if (payment.answers.has(this.#attempt(sent)) || payment.status !== 'new') return false;
    payment.failures.add(this.#attempt(sent));
    return true;
  }

  hasFailure(sent: SentCharge): boolean {
    return this.#find(sent)?.failures.has(this.#attempt(sent)) ?? false;
  }

  /** What the processor, or somebody at it, may do by itself now: the key that it is about, and the deed. */
  listDeeds(): { key: string; name: string; run: () => void }[] {
    const payments = [...this.#payments.values()].flatMap((payment) => {
      const { key, status } = payment;
      const deed = (name: string, run: () => void) => [{ key, name, run }];
      if (status === 'pending') return deed('decides', () => this.#settle(payment, this.#random.chance(0.8)));
      if (status === 'action') return deed('is confirmed by the buyer', () => (payment.status = 'confirmed'));
      if (status === 'authorized') return deed('is captured or released there', () => this.#actOn(payment));
      return [];
    });
    const refunds = [...this.#refunds.values()].flatMap((refund) =>
      refund.status === 'pending'
        ? [{ key: refund.key, name: 'decides', run: () => this.#decideRefund(refund) }]
        : [],
    );
    return [...payments, ...refunds];
  }

  /** What was confirmed and may fail later, and the deed. */
  listLateFailures(): { key: string; name: string; run: () => void }[] {
    const name = 'fails late';
    const payments = [...this.#payments.values()]
      .filter((payment) => this.#mayFailLate(payment))
      .map((payment) => ({ key: payment.key, name, run: () => this.#failLate(payment) }));
    const refunds = [...this.#refunds.values()]
      .filter(({ status }) => status === 'processed')
      .map((refund) => ({ key: refund.key, name, run: () => this.#failRefundLate(refund) }));
    return [...payments, ...refunds];
  }

  /** The keys of what was confirmed and has failed since. A void that was made good again is none. */
  get failedLate(): FailedLate {
    const payments = [...this.#payments.values()];
    const keys = (rows: readonly { key: string }[]) => rows.map(({ key }) => key);
    return {
      captures: keys(payments.filter(({ status }) => status === 'capture_failed')),
      voids: keys(payments.filter(({ status, wasUnvoided }) => status === 'captured' && wasUnvoided)),
      refunds: keys([...this.#refunds.values()].filter(({ hasFailedLate }) => hasFailedLate)),
    };
  }

  #mayFailLate({ status, givenBack, wasUnvoided }: Payment): boolean {
    return (status === 'captured' && !wasUnvoided) || (status === 'voided' && givenBack > 0 && !wasUnvoided);
  }

  #failLate(payment: Payment): void {
    if (payment.status === 'captured') {
      payment.status = 'capture_failed';
      this.#enter(payment, 'capture_reversal', payment.key, payment.captured);
      return;
    }
    payment.status = 'captured';
    payment.wasUnvoided = true;
    this.#enter(payment, 'void_reversal', payment.key, payment.givenBack);
  }

  #failRefundLate(refund: Repayment): void {
    refund.status = 'failed';
    refund.hasFailedLate = true;
    if (!refund.payment) return;
    refund.payment.refunded -= refund.amount;
    this.#enter(refund.payment, 'refund_reversal', refund.key, refund.amount);
  }

  /** Ends what waits for the processor's decision. */
  decideAll(): void {
    for (const { name, run } of this.listDeeds()) if (name === 'decides') run();
  }

  #attempt(sent: SentCharge): number {
    return this.#traits.actions || this.#traits.prepares ? sent.attempt : 1;
  }

  #toName(sent: SentCharge): string {
    return this.#traits.prepares ? (sent.ref ?? `without a reference: ${sent.key}`) : sent.key;
  }

  #toSent(payment: Payment): SentCharge {
    const [ref] = [...this.#payments].find(([, one]) => one === payment)!;
    return { key: payment.key, ref, attempt: 1 } as SentCharge;
  }

  #find(sent: SentCharge): Payment | null {
    return this.#payments.get(this.#toName(sent)) ?? null;
  }

  #make(sent: SentCharge): Payment {
    const { key, amount, capture } = sent;
    const none = { captured: 0, refunded: 0, givenBack: 0, wasUnvoided: false };
    const own = { answers: new Map(), failures: new Set<number>(), ...none };
    const payment: Payment = { key, amount, capture, status: 'new', ...own };
    this.#payments.set(this.#toName(sent), payment);
    return payment;
  }

  #isOpen({ status }: Payment): boolean {
    return status === 'new' || status === 'confirmed';
  }

  #isForgotten({ status }: Payment): boolean {
    if (status === 'voided') return this.#broken === 'forgets_voids';
    return this.#broken === 'forgets_keys' && status !== 'new';
  }

  #decideAnew(payment: Payment, sent: SentCharge): ChargeOutcome {
    payment.status = 'new';
    return this.#decide(payment, sent);
  }

  #decide(payment: Payment, sent: SentCharge): ChargeOutcome {
    const mayAsk = this.#traits.actions && sent.returnUrl !== null && payment.status === 'new';
    const decision = this.#random.weighted([
      [10, 'yes'],
      [2, 'no'],
      [4, 'later'],
      [mayAsk ? 6 : 0, 'ask'],
    ] as const);
    if (decision === 'later') payment.status = 'pending';
    else if (decision === 'ask') payment.status = 'action';
    else this.#settle(payment, decision === 'yes');
    return this.#present(payment)!;
  }

  #settle(payment: Payment, isPaid: boolean): void {
    if (!isPaid) payment.status = 'declined';
    else if (payment.capture) this.#take(payment, payment.amount, payment.key);
    else {
      payment.status = 'authorized';
      this.#enter(payment, 'authorization', payment.key, payment.amount);
    }
  }

  #take(payment: Payment, amount: number, key: string): void {
    payment.status = 'captured';
    payment.captured = amount;
    this.#enter(payment, 'capture', key, amount);
  }

  #present({ status, captured, capture, key }: Payment): ChargeOutcome | null {
    switch (status) {
      case 'new':
      case 'confirmed':
        return null;
      case 'action':
        return { kind: 'requires_action', ...id, url: `https://bank.example/${key}` };
      case 'captured':
        if (this.#broken === 'hides_captures' && !capture) return { kind: 'authorized', ...id };
        return { kind: 'captured', ...id, amountCaptured: captured };
      case 'declined':
        return { kind: 'declined', ...id, ...noCard };
      default:
        return { kind: status, ...id };
    }
  }

  /** What somebody does in the processor's dashboard with an authorization. */
  #actOn(payment: Payment): void {
    if (this.#random.chance(0.5)) this.void(this.#toSent(payment));
    else this.#take(payment, this.#random.integer(1, payment.amount), payment.key);
  }

  #decideRefund(refund: Repayment): void {
    const isDone = refund.payment?.status === 'captured' && this.#random.chance(0.8);
    if (!isDone && refund.payment) refund.payment.refunded -= refund.amount;
    this.#settleRefund(refund, isDone ? 'processed' : 'failed');
  }

  #settleRefund(refund: Repayment, status: 'processed' | 'failed'): void {
    refund.status = status;
    if (status === 'processed' && refund.payment)
      this.#enter(refund.payment, 'refund', refund.key, refund.amount);
  }

  #presentRefund({ status }: Repayment): RefundOutcome {
    if (status === 'failed') return { kind: status, ...id, code: 'refund_declined', message: 'Refused' };
    return { kind: status, ...id };
  }

  #enter(payment: Payment, kind: BookEntry['kind'], key: string, amount: number): void {
    this.books.push({ kind, key, charge_key: payment.key, amount });
  }
}
