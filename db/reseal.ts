import { decryptSecret, encryptSecret, keyIdOf, type SecretsKeys } from './encryption.ts';
import type { Database } from './knex.ts';

/** A column that holds what {@link encryptSecret} made. */
export interface SealedColumn {
  table: string;
  id: string;
  column: string;
  /** SQL: whether the row's value is sealed. (Default: each is) */
  isSealed?: string;
}

/** All there are; the place of a value is its table and id. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'signing_keys', id: 'kid', column: 'private_key' },
  { table: 'webhook_secrets', id: 'id', column: 'secret' },
  { table: 'idempotency_keys', id: 'claim_id', column: 'answer_body', isSealed: 'answer_encrypted' },
];

/** Rows that one statement reads. */
const batchRows = 500;

/** What became of the values of one column. */
export interface Resealed {
  table: string;
  /** Sealed anew, under the first key. */
  resealed: number;
  /** Were under the first key already. */
  current: number;
  /** Could not be opened with any key that is there: their key was taken away too early. */
  unopened: number;
}

/**
 * Seals each value of a column under the first key, in batches by id. What another process changes meanwhile is left as
 * that made it. Safe to break off and to repeat.
 *
 * @param onProgress is told after each batch that found something to do.
 */
export async function resealColumn(
  db: Database,
  keys: SecretsKeys,
  { table, id, column, isSealed = 'true' }: SealedColumn,
  onProgress: (soFar: Resealed) => void,
): Promise<Resealed> {
  const sum: Resealed = { table, resealed: 0, current: 0, unopened: 0 };
  for (let after = ''; ;) {
    const { rows } = await db.raw<{ rows: { id: string; sealed: Buffer | null }[] }>(
      `select ${id} as id, case when ${isSealed} then ${column} end as sealed
       from ${table} where ${id} > ? order by ${id} limit ?`,
      [after, batchRows],
    );
    const before = sum.resealed;
    for (const row of rows) {
      if (row.sealed === null) continue;
      const next = sealAnew(keys, `${table}/${row.id}`, row.sealed);
      if (next === 'current' || next === 'unopened') sum[next] += 1;
      else {
        await db(table)
          .where({ [id]: row.id, [column]: row.sealed })
          .update({ [column]: next });
        sum.resealed += 1;
      }
    }
    if (sum.resealed > before) onProgress(sum);
    const last = rows.at(-1);
    if (!last || rows.length < batchRows) return sum;
    after = last.id;
  }
}

function sealAnew(keys: SecretsKeys, place: string, sealed: Buffer): Buffer | 'current' | 'unopened' {
  try {
    const text = decryptSecret(keys, place, sealed);
    return keyIdOf(sealed, place) === keys[0].id ? 'current' : encryptSecret(keys, place, text);
  } catch {
    return 'unopened';
  }
}
