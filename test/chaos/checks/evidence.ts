import type { SecretsKeys } from '#db/encryption.ts';
import { openAnswer, type StoredAnswer } from '#db/writes/idempotency-keys.ts';
import type { Environment } from '../../support/stack/environment.ts';
import { readFacts, type ClaimFact, type DeliveryFact, type Facts } from '../../support/invariants/facts.ts';
import {
  findOperationViolations,
  type OperationViolation,
} from '../../support/invariants/operation-invariants.ts';
import type { Exchange } from '../load/journal.ts';
import type { Probe } from './ownership.ts';
import type { Receipt } from '../load/receipts.ts';
import type { ResultFact } from './results.ts';

/** All that a run left behind, from everybody who took part in it. */
export interface Evidence {
  /** Of each account, as Postgres, the processor's books and Temporal tell it. */
  facts: Map<string, Facts>;
  /** The answers that are stored, by {@link toKey}. */
  answers: Map<string, KeptAnswer>;
  deliveries: DeliveryEnd[];
  /** What is wrong with operations. */
  operations: OperationViolation[];
  /** The status of each operation, by its id. */
  operationStates: Map<string, string>;
  /** What operations left. */
  results: readonly ResultFact[];
  /** When the last fault was over; nothing may fail from then on. */
  ceasedAt: number;
  /** What clients were answered. */
  journal: readonly Exchange[];
  /** What receivers took. */
  receipts: readonly Receipt[];
  /** Two releases answered by turns: one may show members that the other lacks. (Default: one release) */
  mixesReleases?: boolean;
  /** Requests for what belongs to another. */
  probes: readonly Probe[];
}

/** A claim, and the answer under it. */
export interface KeptAnswer {
  claimId: string;
  isBegun: boolean;
  status: number | null;
  text: string;
  location: string | null;
}

export interface DeliveryEnd extends DeliveryFact {
  account_id: string;
  status: 'pending' | 'retrying' | 'delivered' | 'dead_letter' | 'cancelled';
}

type ClaimRow = ClaimFact & {
  account_id: string;
  key: string;
  answer_headers: Record<string, string> | null;
  answer_body: Buffer | null;
  answer_encrypted: boolean;
};

export function toKey(of: { account: string; endpoint: string; key: string | null }): string {
  return `${of.account} ${of.endpoint} ${of.key}`;
}

/** What Postgres, the books and Temporal tell of these accounts. */
export async function readService(
  env: Environment,
  accountIds: string[],
): Promise<Pick<Evidence, 'facts' | 'answers' | 'deliveries' | 'operations' | 'operationStates'>> {
  const all = await readFacts(env, accountIds);
  const secretsKey: SecretsKeys = [{ id: '', key: Buffer.from(env.stack.secrets.secretsKey, 'base64') }];
  const answers = (all.claims as ClaimRow[]).map((claim): [string, KeptAnswer] => [
    toKey({ account: claim.account_id, endpoint: claim.endpoint, key: claim.key }),
    keptAnswer(claim, secretsKey),
  ]);
  return {
    facts: byAccount(all, accountIds),
    answers: new Map(answers),
    deliveries: all.deliveries as DeliveryEnd[],
    operations: await findOperationViolations(env, accountIds),
    operationStates: await readOperationStates(env, accountIds),
  };
}

async function readOperationStates(env: Environment, accountIds: string[]): Promise<Map<string, string>> {
  const rows = await env.db('operations').whereIn('account_id', accountIds);
  return new Map(rows.map(({ id, status }) => [id as string, status as string]));
}

function keptAnswer(claim: ClaimRow, secretsKey: SecretsKeys): KeptAnswer {
  const { claim_id: claimId, answer_status: status, answer_headers: headers, answer_body: body } = claim;
  const stored: StoredAnswer = { status: status ?? 0, headers: headers ?? {}, body: body ?? Buffer.alloc(0) };
  const opened = claim.answer_encrypted ? openAnswer(secretsKey, claimId, stored) : stored;
  return {
    claimId,
    isBegun: claim.begun_at !== null,
    status,
    text: opened.body.toString(),
    location: opened.headers['location'] ?? null,
  };
}

/** The same facts, an account at a time: each invariant is about one account. */
function byAccount(all: Facts, accountIds: string[]): Map<string, Facts> {
  const ofCharge = new Map(all.charges.map(({ id, account_id }) => [id, account_id]));
  const split = <Row>(rows: Row[], findAccount: (row: Row) => string | undefined) => {
    const parts = new Map<string, Row[]>(accountIds.map((id) => [id, []]));
    for (const row of rows) parts.get(findAccount(row) ?? '')?.push(row);
    return parts;
  };
  const own = (row: unknown) => (row as { account_id: string }).account_id;
  // What a charge of nobody holds is told once, with the first account.
  const books = split(all.books, ({ charge_key: id }) => ofCharge.get(id) ?? accountIds[0]);
  const parts = {
    charges: split(all.charges, own),
    refunds: split(all.refunds, own),
    claims: split(all.claims, own),
    events: split(all.events, own),
    endpoints: split(all.endpoints, own),
    deliveries: split(all.deliveries, own),
    sequences: split(all.sequences, own),
  };
  const createFacts = (id: string): Facts => ({
    ...all,
    charges: parts.charges.get(id)!,
    refunds: parts.refunds.get(id)!,
    claims: parts.claims.get(id)!,
    events: parts.events.get(id)!,
    endpoints: parts.endpoints.get(id)!,
    deliveries: parts.deliveries.get(id)!,
    sequences: parts.sequences.get(id)!,
    books: books.get(id)!,
  });
  return new Map(accountIds.map((id) => [id, createFacts(id)]));
}
