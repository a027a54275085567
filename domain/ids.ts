/**
 * Ids: a prefix that names the kind, then a ULID: 48 bits of milliseconds and 80 random bits.
 *
 * The time part orders rows without a second column, so lists, partitions and `created` filters use
 * the id alone. The random part is fresh for each id, so that no id can be guessed from
 * another. The caller brings it: this folder is pure.
 */

const prefixes = {
  account: 'acct',
  client: 'cl',
  customer: 'cus',
  paymentMethod: 'pm',
  charge: 'ch',
  refund: 're',
  operation: 'op',
  event: 'evt',
  request: 'req',
  webhookEndpoint: 'we',
  webhookDelivery: 'wd',
  webhookSecret: 'whs',
  member: 'mem',
  /** A session of a member. */
  session: 'ses',
  auditEntry: 'aud',
  reconciliation: 'rec',
  processor: 'prc',
  /** A secret that signs the notifications of a processor. */
  processorSecret: 'prs',
  /** A claim on an idempotency key; never shown to a caller. */
  claim: 'clm',
} as const;

export type IdKind = keyof typeof prefixes;

/** The letters of ids: Crockford's base 32, as ULIDs use it. Each is five bits. */
export const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Builds an id from its kind and a ULID: `ch_01J…`. */
export function formatId(kind: IdKind, ulid: string): string {
  return `${prefixes[kind]}_${ulid}`;
}

/** Whether `value` is an id of this kind; upper case only, as we issue them. */
export function isId(kind: IdKind, value: string): boolean {
  const prefix = `${prefixes[kind]}_`;
  return value.startsWith(prefix) && ulid.test(value.slice(prefix.length));
}

/** Returns the source of a regular expression that matches as {@link isId} does. */
export function idPattern(kind: IdKind): string {
  return `^${prefixes[kind]}_${ulid.source.slice(1)}`;
}

/** One of our ids as a segment of a path, before a command if there is one. */
const segment = /\/([a-z]{2,4}_[0-7][0-9A-HJKMNP-TV-Z]{25})(?![^/:?])/;

/** Returns the first id in a path; `null` without one. */
export function findIdInPath(path: string): string | null {
  return segment.exec(path)?.[1] ?? null;
}

/** Returns when the id was made, in milliseconds since 1970. */
export function idTime(id: string): number {
  const start = id.indexOf('_') + 1;
  let time = 0;
  for (const letter of id.slice(start, start + 10)) time = time * 32 + alphabet.indexOf(letter);
  return time;
}

/** Returns the smallest id of this kind that can have been made at `timeMs` or later. */
export function firstIdAt(kind: IdKind, timeMs: number): string {
  let time = '';
  let rest = Math.min(Math.max(0, Math.ceil(timeMs)), 2 ** 48 - 1);
  for (let i = 0; i < 10; i += 1) {
    time = alphabet.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  return formatId(kind, time + '0'.repeat(16));
}
