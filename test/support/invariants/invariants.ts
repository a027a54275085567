import assert from 'node:assert/strict';
import { findDeliveryViolations } from './delivery-invariants.ts';
import type { BookEntry, Environment } from '../stack/environment.ts';
import { readFacts, type ChargeFact, type ClaimFact, type Facts } from './facts.ts';
import { findOperationViolations } from './operation-invariants.ts';
import type { ChargeFailure } from '#domain/charge-failures.ts';
import type { ProblemCode } from '#domain/problems.ts';
import { describeViolation, type Violation } from './violations.ts';
import { findRefundViolations } from './refund-invariants.ts';

export interface Scope {
  /** (Default: all. Money under no charge at all is looked for everywhere.) */
  accountIds?: string[];
}

/** Reads Postgres, the processor's books and Temporal, and tells every invariant that is broken. */
export async function checkInvariants(env: Environment, scope: Scope = {}): Promise<Violation[]> {
  const violations = findViolations(await readFacts(env, scope.accountIds));
  return [...violations, ...(await findOperationViolations(env, scope.accountIds))];
}

/** Fails, naming what is broken, unless all invariants hold within `withinMs`: what runs may come to rest. */
export async function assertInvariants(
  env: Environment,
  scope: Scope = {},
  withinMs = 120_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  let violations = await checkInvariants(env, scope);
  while (violations.length > 0 && Date.now() < deadline) violations = await checkInvariants(env, scope);
  assert.deepEqual(violations.map(describeViolation), []);
}

/** Pure, so that a test can show it facts that never were. */
export function findViolations(facts: Facts): Violation[] {
  return [
    ...movedTwice(facts),
    ...heldAuthorizations(facts),
    ...brokenVoids(facts),
    ...madeTwice(facts),
    ...wrongAmounts(facts),
    ...facts.charges.flatMap((charge) => wrongEvents(facts, charge)),
    ...wrongSequences(facts),
    ...facts.charges.flatMap((charge) => wrongClaim(facts, charge)),
    ...facts.claims.filter(isOfACharge).flatMap((claim) => wrongAnswer(facts, claim)),
    ...leftBehind(facts),
    ...findRefundViolations(facts),
    ...findDeliveryViolations(facts),
  ];
}

/** A claim is kept for so long at least; of older charges nobody knows whether there was one. */
const claimsKeptMs = 86_400_000;

function movedTwice({ books, knownChargeIds }: Facts): Violation[] {
  const found: Violation[] = [];
  const tell = (of: string, what: string) => found.push({ invariant: 1, of, what });
  const captures = books.filter(({ kind }) => kind === 'capture');
  for (const [key, same] of groupBy(captures, (entry) => entry.key)) {
    if (same.length > 1) tell(key, `was captured ${same.length} times under this key`);
  }
  for (const [chargeId, same] of groupBy(captures, (entry) => entry.charge_key)) {
    if (same.length > 1) tell(chargeId, `was captured ${same.length} times`);
  }
  for (const chargeId of new Set(books.filter(isOfCharge).map((entry) => entry.charge_key))) {
    if (!knownChargeIds.has(chargeId)) tell(chargeId, 'is in the books and not in Postgres');
  }
  return found;
}

/** An authorization is a customer's money too: it is there for a charge that may take it, once, and for no other. */
function heldAuthorizations({ books, charges, knownChargeIds }: Facts): Violation[] {
  const found: Violation[] = [];
  const statuses = new Map(charges.map(({ id, status }) => [id, status]));
  const authorizations = books.filter((entry) => entry.kind === 'authorization' && isOfCharge(entry));
  for (const [of, same] of groupBy(authorizations, (entry) => entry.charge_key)) {
    const status = statuses.get(of);
    const isOver = status === 'failed' || status === 'cancelled' || !knownChargeIds.has(of);
    const reserved = sumBooks(books, of, 'authorization') - sumBooks(books, of, 'void');
    const isCaptured = sumBooks(books, of, 'capture') > 0;
    if (same.length > 1) found.push({ invariant: 1, of, what: `was authorized ${same.length} times` });
    if (isOver && reserved > 0 && !isCaptured) {
      const what = `is ${status ?? 'not in Postgres'}, and the books still reserve ${reserved}`;
      found.push({ invariant: 1, of, what });
    }
  }
  for (const { id: of, status, void_reason } of charges) {
    if (status !== 'requires_capture' || void_reason !== null) continue;
    if (sumBooks(books, of, 'authorization') > sumBooks(books, of, 'void')) continue;
    found.push({ invariant: 2, of, what: 'is requires_capture, and the books hold no authorization' });
  }
  return found;
}

/** A cancel that was recorded is kept. Time alone gives nothing back that was captured. */
function brokenVoids({ books, charges }: Facts): Violation[] {
  return charges.flatMap(({ id: of, status, void_reason, cancel_requested_at }): Violation[] => {
    if (status === 'succeeded' && cancel_requested_at !== null)
      return [{ invariant: 1, of, what: 'was cancelled before its outcome, and is succeeded' }];
    const isLapsed = status === 'cancelled' && void_reason === 'expired' && cancel_requested_at === null;
    // What the bank took back by itself was given back by nobody.
    const held = sumBooks(books, of, 'capture') - sumBooks(books, of, 'capture_reversal');
    const captured = isLapsed ? held : 0;
    if (captured <= 0) return [];
    return [{ invariant: 1, of, what: `lapsed, and ${captured} that was captured was given back` }];
  });
}

/** A workflow id is made of the account, the endpoint and the key, so that two rows under one are two of one key. */
function madeTwice({ books, charges, refunds }: Facts): Violation[] {
  const paid = new Set(charges.filter(({ id }) => netCaptured(books, id) > 0).map(({ id }) => id));
  return [...groupBy([...charges, ...refunds], (row) => row.workflow_id)].flatMap(([of, same]) => {
    const newest = same.toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime());
    return newest.slice(1).flatMap((row, index): Violation[] => {
      const next = newest[index]!;
      if (next.created_at.getTime() - row.created_at.getTime() >= claimsKeptMs) return [];
      const holds = paid.has(row.id) && paid.has(next.id) ? 'holds money under' : 'names';
      return [{ invariant: 1, of, what: `${holds} ${row.id} and ${next.id}` }];
    });
  });
}

function wrongAmounts({ books, charges }: Facts): Violation[] {
  const found: Violation[] = [];
  for (const { id, status, amount, amount_captured, amount_refunded, amount_returned } of charges) {
    if (!(amount_refunded <= amount_captured && amount_captured <= amount)) {
      const what = `reads ${amount_refunded} refunded of ${amount_captured} captured of ${amount}`;
      found.push({ invariant: 2, of: id, what });
    }
    const inBooks = netCaptured(books, id);
    const kept = amount_captured - amount_returned;
    if (isTerminal(status) && kept !== inBooks) {
      found.push({ invariant: 2, of: id, what: `reads ${kept} captured, the books ${inBooks}` });
    }
  }
  return found;
}

function wrongEvents({ events }: Facts, charge: ChargeFact): Violation[] {
  const of = charge.id;
  const told = events.filter((event) => event.resource_id === of).map(({ type }) => type);
  const count = (type: string) => told.filter((one) => one === type).length;
  const found: Violation[] = [];
  const asked = count('charge.requires_action');
  if (charge.status === 'requires_action' && asked !== 1)
    found.push({
      invariant: 3,
      of,
      what: `waits for its buyer and has ${asked} events charge.requires_action`,
    });
  for (const status of ['succeeded', 'failed', 'cancelled']) {
    const expected = charge.status === status ? 1 : 0;
    const seen = count(`charge.${status}`);
    // It may have succeeded before its capture failed.
    if (status === 'succeeded' && hasFailedLate(charge) && seen <= 1) continue;
    if (seen !== expected) {
      found.push({ invariant: 3, of, what: `is ${charge.status} and has ${seen} events charge.${status}` });
    }
  }
  const wasAuthorized =
    charge.status === 'requires_capture' ||
    (charge.status === 'succeeded' && charge.capture_claim_id !== null);
  const authorized = count('charge.authorized');
  if (authorized > 1 || (wasAuthorized && authorized === 0)) {
    found.push({
      invariant: 3,
      of,
      what: `is ${charge.status} and has ${authorized} events charge.authorized`,
    });
  }
  return found;
}

const hasFailedLate = ({ failure }: ChargeFact) => failure?.code === 'capture_failed';

/** Order of commit is order of sequence: no number is missing or there twice. */
function wrongSequences({ events, sequences }: Facts): Violation[] {
  const found: Violation[] = [];
  for (const { account_id: of, sequence } of sequences) {
    const own = events.filter((event) => event.account_id === of).map((event) => event.sequence);
    const isGapless = own.toSorted((a, b) => a - b).every((number, index) => number === index + 1);
    if (!isGapless || own.length !== sequence) {
      found.push({ invariant: 3, of, what: `counts to ${sequence} over the events ${own.join(', ')}` });
    }
  }
  return found;
}

/** What a charge's own claim must look like: it is kept, and once the outcome is known it has its answer. */
function wrongClaim({ claims, now }: Facts, charge: ChargeFact): Violation[] {
  const of = charge.id;
  const claim = claims.find(({ claim_id }) => claim_id === charge.claim_id);
  const isOld = now.getTime() - charge.created_at.getTime() >= claimsKeptMs;
  if (!claim) return isOld ? [] : [{ invariant: 3, of, what: `is ${charge.status} and has no claim` }];
  const isDecided = charge.status !== 'pending';
  if (!isDecided || claim.answer_status !== null) return [];
  return [{ invariant: 3, of, what: `is ${charge.status} and its claim has no answer` }];
}

const failureProblems: Record<ChargeFailure['code'], `${number} ${ProblemCode}`> = {
  card_declined: '402 card_declined',
  processor_timeout: '402 payment_voided',
  not_sent: '402 payment_not_sent',
  refused: '422 processor_refused',
  // Nobody waits for it: the answer was there when the buyer was asked.
  authentication_expired: '402 payment_voided',
  // It had succeeded when it was answered, or somebody waited for an unknown outcome.
  capture_failed: '402 payment_voided',
};

/** What `POST /v1/charges` may have answered for a charge that reads so, by what ended it. */
function listAnswers({ status, void_reason, failure }: ChargeFact): string[] {
  switch (status) {
    case 'pending':
    case 'requires_action':
      return ['202'];
    case 'requires_capture':
    case 'succeeded':
      return ['201', '202'];
    case 'cancelled':
      // Nobody waits for an authorization to expire: its answer was there.
      return void_reason === 'expired' ? ['201', '202'] : ['201', '202', '409 charge_cancelled'];
    case 'failed':
      if (failure?.code === 'capture_failed') return ['201', '202', '402 payment_voided'];
      return ['202', failure ? failureProblems[failure.code] : '402 without a failure'];
  }
}

/** What an answer says has happened, and to which charge. */
function wrongAnswer({ charges }: Facts, claim: ClaimFact): Violation[] {
  const of = claim.claim_id;
  const charge = charges.find(({ id }) => id === claim.resource_id);
  const { answer_status: status, answer_body } = claim;
  if (status === null || answer_body === null) return [];
  if (!charge)
    return [{ invariant: 3, of, what: `answers ${status} for ${claim.resource_id}, which is not there` }];
  if (claim.endpoint.endsWith(':capture')) {
    const isTaken = charge.status === 'succeeded' || hasFailedLate(charge);
    const isRight = status !== 200 || (isTaken && charge.capture_claim_id === of);
    return isRight
      ? []
      : [{ invariant: 3, of, what: `answers ${status}, and ${charge.id} is ${charge.status}` }];
  }
  // Only a charge that asked its buyer has an answer that others cannot read.
  if (claim.answer_encrypted) {
    const isRight = status === 202 && claim.endpoint === 'POST /v1/charges';
    return isRight ? [] : [{ invariant: 3, of, what: `answers ${status}, encrypted` }];
  }
  const told = JSON.parse(Buffer.from(answer_body).toString()) as {
    id?: string;
    charge?: string;
    code?: string;
  };
  // A cancel shows the charge as it was: it may end otherwise, or be refunded since.
  if (claim.endpoint.endsWith(':cancel')) {
    const isRight = status === 200 && told.id === charge.id;
    return isRight ? [] : [{ invariant: 3, of, what: `answers ${status} for another than ${charge.id}` }];
  }
  const answer = status < 400 ? String(status) : `${status} ${told.code}`;
  if (!listAnswers(charge).includes(answer))
    return [{ invariant: 3, of, what: `answers ${answer}, and ${charge.id} is ${charge.status}` }];
  const named = status < 400 ? told.id : told.charge;
  return named === charge.id
    ? []
    : [{ invariant: 1, of, what: `names ${named}, and stands for ${charge.id}` }];
}

function leftBehind({ charges, claims, runningClaims, now }: Facts): Violation[] {
  const found: Violation[] = [];
  for (const charge of charges) {
    if (!isTerminal(charge.status) && !runningClaims.has(charge.claim_id)) {
      found.push({
        invariant: 4,
        of: charge.id,
        what: `is ${charge.status} and no run of its claim is open`,
      });
    }
  }
  for (const claim of claims) {
    const of = claim.claim_id;
    if (isOfACharge(claim) && claim.begun_at && !charges.some(({ id }) => id === claim.resource_id)) {
      found.push({ invariant: 4, of, what: `has begun, and ${claim.resource_id} is not there` });
    }
    if (!claim.begun_at && claim.start_by < now) {
      found.push({ invariant: 4, of, what: 'cannot begin any more and still holds its key' });
    }
  }
  return found;
}

const isTerminal = (status: ChargeFact['status']) => ['succeeded', 'failed', 'cancelled'].includes(status);

/** Refunds have claims as well, and so has a customer. */
const isOfACharge = (claim: ClaimFact) => claim.resource_id.startsWith('ch_');

/** The books hold refunds under keys of their own too. */
const isOfCharge = (entry: BookEntry) => entry.charge_key.startsWith('ch_');

/** What was taken for a charge, and neither given back by a void nor taken back by the bank. */
function netCaptured(books: BookEntry[], chargeId: string): number {
  const sum = (kind: BookEntry['kind']) => sumBooks(books, chargeId, kind);
  // The void of a reservation releases it; it gives no money back.
  if (sum('capture') === 0) return 0;
  return sum('capture') - sum('capture_reversal') - sum('void') + sum('void_reversal');
}

function sumBooks(books: BookEntry[], chargeId: string, kind: BookEntry['kind']): number {
  return books
    .filter((entry) => entry.charge_key === chargeId && entry.kind === kind)
    .reduce((total, { amount }) => total + amount, 0);
}

function groupBy<T>(items: T[], toKey: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(toKey(item), [...(groups.get(toKey(item)) ?? []), item]);
  return groups;
}
