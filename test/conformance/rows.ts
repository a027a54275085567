import { ulid } from 'ulid';
import { formatId } from '#domain/ids.ts';
import type { SentCharge } from '#processor/port.ts';

/* What the service keeps in its rows: a port is given nothing else. */

/** The row of a charge. */
export class ChargeRow {
  #sent: SentCharge;

  constructor(how: Partial<SentCharge> & Pick<SentCharge, 'token'>) {
    this.#sent = {
      key: formatId('charge', ulid()),
      ref: null,
      attempt: 1,
      accountId: formatId('account', ulid()),
      createdAt: new Date(),
      amount: 1000,
      currency: 'EUR',
      capture: true,
      statementDescriptor: null,
      description: null,
      returnUrl: null,
      ...how,
    };
  }

  get key(): string {
    return this.#sent.key;
  }

  /** What every call is given. */
  sent(): SentCharge {
    return { ...this.#sent };
  }

  /** First writer wins. */
  keepRef(ref: string): void {
    this.#sent = { ...this.#sent, ref: this.#sent.ref ?? ref };
  }

  /** The row is read from a copy that was made before the reference was written. */
  loseRef(): void {
    this.#sent = { ...this.#sent, ref: null };
  }

  nextAttempt(): void {
    this.#sent = { ...this.#sent, attempt: this.#sent.attempt + 1 };
  }

  /** Keys of a processor are kept for a day. */
  age(ms: number): void {
    this.#sent = { ...this.#sent, createdAt: new Date(this.#sent.createdAt.getTime() - ms) };
  }
}

/** The row of a capture or a refund. */
export class MoneyRow {
  attempt = 1;
  createdAt = new Date();
  readonly key: string;
  readonly charge: ChargeRow;
  readonly amount: number;
  /** The request behind it. */
  origin: string | undefined;

  constructor(kind: 'claim' | 'refund', charge: ChargeRow, amount: number) {
    this.key = formatId(kind, ulid());
    this.charge = charge;
    this.amount = amount;
  }

  nextAttempt(): void {
    this.attempt += 1;
  }

  sent() {
    const { key, amount, attempt, createdAt, origin } = this;
    return { key, charge: this.charge.sent(), amount, attempt, createdAt, origin };
  }
}
