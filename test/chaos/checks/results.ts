import { createHash } from 'node:crypto';
import { rowEndpoint } from '#domain/operations/charge-batches.ts';
import type { OperationResource } from '#domain/operations.ts';
import type { Environment } from '../../support/stack/environment.ts';
import { parseCsv } from '../../support/csv.ts';
import type { Violation } from '../../support/invariants/violations.ts';
import type { Merchant } from '../load/merchants.ts';

/** A result that an operation left, beside what it must hold. */
export interface ResultFact {
  operationId: string;
  /** The ids of its lines: rows of the resource, or charges of the batch. */
  ids: string[];
  /** Those that were there when it was submitted; the charges that hold the claims of the batch's rows. */
  expected: string[];
  /** Why it could not be downloaded whole. */
  fault?: string;
  /** Of a batch that succeeded: how many rows it was given, and the numbers of those it answers. */
  rows?: { given: number; answered: number[] };
}

interface OperationRow {
  id: string;
  account_id: string;
  type: 'export' | 'charge_batch' | 'webhook_replay';
  request: { resource?: 'charges' | 'refunds' | 'events'; format?: 'csv' | 'ndjson' };
  key: string;
  total: number;
}

/** Downloads the results of what succeeded, as their owners. */
export async function readResults(env: Environment, merchants: readonly Merchant[]): Promise<ResultFact[]> {
  const operations: OperationRow[] = await env
    .db('operations as o')
    .join('idempotency_keys as k', 'k.claim_id', 'o.claim_id')
    .select('o.id', 'o.account_id', 'o.type', 'o.request', 'o.total', 'k.key')
    .where('o.status', 'succeeded')
    .whereIn(
      'o.account_id',
      merchants.map(({ accountId }) => accountId),
    );
  const facts: ResultFact[] = [];
  for (const operation of operations) {
    const merchant = merchants.find(({ accountId }) => accountId === operation.account_id)!;
    const read = { export: readExport, charge_batch: readBatch, webhook_replay: null }[operation.type];
    if (!read) continue;
    facts.push(
      await read(env, merchant, operation).catch((error: Error): ResultFact => {
        return { operationId: operation.id, ids: [], expected: [], fault: error.message };
      }),
    );
  }
  return facts;
}

async function download({ client }: Merchant, { id, type }: OperationRow): Promise<string> {
  const collection = type === 'export' ? 'exports' : 'charge-batches';
  const { body } = await client.request<OperationResource>('GET', `/v1/${collection}/${id}`);
  const { href = '', size, sha256 } = body.response ?? {};
  // The link is absolute; `fetch` of its own, since the answer is no JSON.
  const answer = await fetch(href, {
    headers: { authorization: `Bearer ${await client.accessToken()}` },
    signal: AbortSignal.timeout(20_000),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`it answers ${answer.status}`);
  if (bytes.length !== size) throw new Error(`it has ${bytes.length} bytes, and ${size} were told`);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new Error('it has another hash');
  return bytes.toString();
}

const jsonLines = <Line>(text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

async function readExport(
  env: Environment,
  merchant: Merchant,
  operation: OperationRow,
): Promise<ResultFact> {
  const { id, account_id, request } = operation;
  const text = await download(merchant, operation);
  const ids =
    request.format === 'csv'
      ? idsOfCsv(parseCsv(text))
      : jsonLines<{ id: string }>(text).map((line) => line.id);
  const rows: { id: string }[] = await env
    .db(request.resource!)
    .select('id')
    .where({ account_id })
    .whereRaw('pg_visible_in_snapshot(created_xid, (select snapshot from operations where id = ?))', [id]);
  return { operationId: id, ids, expected: rows.map((row) => row.id) };
}

function idsOfCsv([header = [], ...rows]: string[][]): string[] {
  const at = header.indexOf('id');
  return rows.map((row) => row[at] ?? '');
}

interface Line {
  row: number;
  charge: { id: string } | null;
}

async function readBatch(env: Environment, merchant: Merchant, operation: OperationRow): Promise<ResultFact> {
  const { id, account_id, total } = operation;
  const lines = jsonLines<Line>(await download(merchant, operation));
  const claims: { resource_id: string }[] = await env
    .db('idempotency_keys')
    .select('resource_id')
    .where({ account_id, endpoint: rowEndpoint })
    .whereRaw('starts_with(key, ?)', [`${id}/`]);
  const ids = lines.flatMap(({ charge }) => charge?.id ?? []);
  return {
    operationId: id,
    ids,
    expected: claims.map((claim) => claim.resource_id),
    rows: { given: total, answered: lines.map(({ row }) => row) },
  };
}

/** What an operation says it did is what it did: each row once (3), and each row of a batch charged once (1). */
export function findResultViolations(facts: readonly ResultFact[]): Violation[] {
  return facts.flatMap(({ operationId: of, ids, expected, fault, rows }) => {
    const tell = (invariant: 1 | 3, what: string): Violation => ({ invariant, of, what });
    const [seen, due] = [new Set(ids), new Set(expected)];
    const missing = expected.filter((id) => !seen.has(id));
    const strange = ids.filter((id) => !due.has(id));
    const answered = rows?.answered.toSorted((a, b) => a - b) ?? [];
    const isWhole = rows?.given === answered.length && answered.every((row, index) => row === index);
    if (fault) return [tell(3, `has a result that cannot be read: ${fault}`)];
    return [
      ...(seen.size === ids.length ? [] : [tell(rows ? 1 : 3, 'names a row twice')]),
      ...(missing.length === 0 ? [] : [tell(3, `misses ${missing.length} rows, ${missing[0]} for one`)]),
      ...(strange.length === 0
        ? []
        : [tell(3, `has ${strange.length} rows too many, ${strange[0]} for one`)]),
      ...(rows && !isWhole ? [tell(3, `answers ${answered.length} of ${rows.given} rows`)] : []),
    ];
  });
}
