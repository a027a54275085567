import type { BookEntry } from '../stack/environment.ts';
import type { ClaimFact, Facts, RefundFact } from './facts.ts';
import type { Violation } from './violations.ts';

/** What the invariants say of refunds; pure, as those of charges are. */
export function findRefundViolations(facts: Facts): Violation[] {
  return [
    ...facts.refunds.flatMap((refund) => [
      ...wrongMoney(facts, refund),
      ...wrongEvents(facts, refund),
      ...wrongClaim(facts, refund),
      ...withoutRun(facts, refund),
    ]),
    ...wrongSums(facts),
    ...facts.claims
      .filter(({ resource_id }) => resource_id.startsWith('re_'))
      .flatMap((claim) => wrongAnswer(facts, claim)),
  ];
}

const isOpen = ({ status }: RefundFact) => status === 'pending' || status === 'processed';
const holdsAmount = ({ status }: RefundFact) => status !== 'failed' && status !== 'reversed';

/** Returns what the books call it: a refund that was made at the processor has the processor's own id there. */
const toBookKey = ({ id, source, receipt }: RefundFact) =>
  source === 'processor' ? String(receipt?.processor.reference) : id;

type Moved = [refunds: number, reversals: number];

/** How often each movement is in the books of a refund that reads so; what is pending may have moved or not. */
const movements: Partial<Record<RefundFact['status'], Moved[]>> = {
  processed: [[1, 0]],
  settled: [[1, 0]],
  // At once, or later: then the money was gone, and came back.
  failed: [
    [0, 0],
    [1, 1],
  ],
  reversed: [[1, 1]],
};

function countMoved(books: readonly BookEntry[], of: string): Moved {
  const count = (kind: BookEntry['kind']) =>
    books.filter((entry) => entry.key === of && entry.kind === kind).length;
  return [count('refund'), count('refund_reversal')];
}

function wrongMoney({ books }: Facts, refund: RefundFact): Violation[] {
  const { id: of, status, amount, reversal_claim_id } = refund;
  const key = toBookKey(refund);
  const own = books.filter((entry) => entry.key === key);
  const seen = countMoved(books, key);
  const found: Violation[] = [];
  if (seen.some((times) => times > 1)) {
    found.push({ invariant: 1, of, what: `moved ${seen.join(' and ')} times` });
  }
  const isUndecided = status === 'pending' || (status === 'processed' && reversal_claim_id !== null);
  const expected = movements[status];
  if (!isUndecided && expected && !expected.some((one) => String(one) === String(seen))) {
    found.push({ invariant: 2, of, what: `is ${status} and the books hold ${seen.join(' and ')} movements` });
  }
  if (own.some((entry) => entry.amount !== amount)) {
    found.push({ invariant: 2, of, what: `is of ${amount}, in the books of another amount` });
  }
  return found;
}

function wrongSums({ charges, refunds }: Facts): Violation[] {
  return charges.flatMap(({ id, amount_refunded }) => {
    const held = refunds
      .filter((refund) => refund.charge_id === id && holdsAmount(refund))
      .reduce((sum, { amount }) => sum + amount, 0);
    const what = `reads ${amount_refunded} refunded, and its refunds hold ${held}`;
    return held === amount_refunded ? [] : [{ invariant: 2, of: id, what }];
  });
}

/** What was told of a refund that reads so, in order. */
const tellings: Record<RefundFact['status'], string[]> = {
  pending: [''],
  processed: ['refund.processed'],
  settled: ['refund.processed,refund.settled'],
  reversed: ['refund.processed,refund.reversed'],
  failed: ['refund.failed'],
};

const lateTellings = ['refund.processed,refund.failed', 'refund.processed,refund.settled,refund.failed'];

function wrongEvents({ books, events }: Facts, refund: RefundFact): Violation[] {
  const { id: of, status } = refund;
  const own = events.filter((event) => event.resource_id === of);
  const told = own.toSorted((one, other) => one.sequence - other.sequence).map(({ type }) => type);
  const isLate = status === 'failed' && countMoved(books, toBookKey(refund))[1] > 0;
  const isRight = [...tellings[status], ...(isLate ? lateTellings : [])].includes(told.join());
  return isRight ? [] : [{ invariant: 3, of, what: `is ${status} and told ${told.join(', ') || 'nothing'}` }];
}

function wrongClaim({ claims }: Facts, refund: RefundFact): Violation[] {
  const { id: of, status, claim_id } = refund;
  if (refund.source === 'processor') return [];
  const claim = claims.find((one) => one.claim_id === claim_id);
  if (!claim) return isOpen(refund) ? [{ invariant: 3, of, what: `is ${status} and has no claim` }] : [];
  const isMissed = status !== 'pending' && claim.answer_status === null;
  return isMissed ? [{ invariant: 3, of, what: `is ${status} and its claim has no answer` }] : [];
}

function withoutRun({ runningClaims }: Facts, refund: RefundFact): Violation[] {
  if (!isOpen(refund) || runningClaims.has(refund.claim_id)) return [];
  return [{ invariant: 4, of: refund.id, what: `is ${refund.status} and no run of its claim is open` }];
}

/** What an answer says has happened: the creation's, and the reversal's. */
function wrongAnswer({ books, refunds }: Facts, claim: ClaimFact): Violation[] {
  const { claim_id: of, resource_id, answer_status: status } = claim;
  const refund = refunds.find(({ id }) => id === resource_id);
  const tell = (what: string): Violation[] => [{ invariant: 3, of, what }];
  if (status === null) {
    return claim.begun_at && !refund ? tell(`was refused ${resource_id} and has no answer`) : [];
  }
  if (!refund) return status === 409 || status === 422 ? [] : tell(`answers ${status} for no refund`);
  if (claim.endpoint.endsWith(':cancel')) {
    const isRight = (status === 200) === (refund.status === 'reversed') || status === 409;
    return isRight ? [] : tell(`answers ${status}, and ${resource_id} is ${refund.status}`);
  }
  const expected = listAnswers(refund, countMoved(books, refund.id));
  return expected.includes(status) ? [] : tell(`answers ${status}, and ${resource_id} is ${refund.status}`);
}

/** What the request of a refund that reads so may have been answered with. */
function listAnswers({ status }: RefundFact, [, reversals]: Moved): number[] {
  if (status === 'pending') return [202];
  if (status !== 'failed') return [201, 202];
  return reversals > 0 ? [201, 202, 422] : [202, 422];
}
