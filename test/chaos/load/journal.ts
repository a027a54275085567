import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';

/** A request of a client, and what it was answered; the client's own record, which nothing of the service can change. */
export interface Exchange {
  account: string;
  /** Method and route template, the scope of the key. */
  endpoint: string;
  /** The concrete path. */
  path: string;
  key: string | null;
  body: unknown;
  /** Of the concrete path and the body: what the key stands for. */
  fingerprint: string;
  sentAt: number;
  /** When the answer was there, or the hope for it gone. */
  at: number;
  /** `null`: there was no answer. */
  status: number | null;
  /** Of the problem, where it is one. */
  code: string | null;
  text: string;
  location: string | null;
  /** The entity tag; it names the resource and its version. */
  etag: string | null;
  isReplay: boolean;
  /** It has a Retry-After: a refusal is for now only, and not stored. */
  isForNow: boolean;
}

/**
 * What was decided under a key, so that it must never read otherwise (`docs/guides/keys-and-retries.md`, "When to try
 * again").
 */
const decidedCodes: ReadonlySet<string> = new Set([
  'charge_already_captured',
  'charge_not_capturable',
  'charge_already_refunded',
  'charge_not_refundable',
  'refund_not_reversible',
  'capture_exceeds_authorized',
  'refund_exceeds_captured',
  'refund_failed',
  'card_declined',
  'payment_voided',
  'payment_not_sent',
  'processor_refused',
  'charge_cancelled',
  'capture_declined',
]);

/** Whether this is the key's answer for good. */
export function isFinal({ status, code, isForNow }: Pick<Exchange, 'status' | 'code' | 'isForNow'>): boolean {
  if (status === null) return false;
  return code === null ? status >= 200 && status < 300 : decidedCodes.has(code) && !isForNow;
}

/** Whether the same request is worth sending again. */
export function isTransient({ status, code }: Pick<Exchange, 'status' | 'code'>): boolean {
  return status === null || status >= 500 || status === 429 || code === 'idempotency_key_in_progress';
}

export function toFingerprint(path: string, body: unknown): string {
  return createHash('sha256')
    .update(`${path}\n${JSON.stringify(body)}`)
    .digest('hex')
    .slice(0, 24);
}

/** Everything that clients sent and were answered, in a file as well. */
export class Journal {
  readonly exchanges: Exchange[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  write(exchange: Exchange): void {
    this.exchanges.push(exchange);
    appendFileSync(this.#file, `${JSON.stringify(exchange)}\n`);
  }
}
