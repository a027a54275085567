import { decryptSecret, encryptSecret, readKeyId, type SecretsKeys } from './encryption.ts';
import type { Database } from './knex.ts';

/** A column of secrets that {@link encryptSecret} encrypted. */
export interface SealedColumn {
  table: string;
  id: string;
  column: string;
  /** A condition in SQL: the row's value is encrypted. (Default: always) */
  isSealed?: string;
}

/** All columns of secrets. The context of a value is its table and id. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'signing_keys', id: 'kid', column: 'private_key' },
  { table: 'webhook_secrets', id: 'id', column: 'secret' },
  { table: 'processors', id: 'id', column: 'key' },
  { table: 'processor_secrets', id: 'id', column: 'secret' },
  { table: 'idempotency_keys', id: 'claim_id', column: 'answer_body', isSealed: 'answer_encrypted' },
];

/** Rows that one statement reads at most. */
const batchRows = 500;

/** The counts of values of one column. */
export interface Resealed {
  table: string;
  /** Encrypted again, under the first key. */
  resealed: number;
  /** Already under the first key. */
  current: number;
  /** No key decrypts them: their key was removed too early. */
  unopened: number;
}

/**
 * Encrypts each value of a column under the first key, in batches by id. Values that another process changes meanwhile
 * stay as that process wrote them. Safe to interrupt and to repeat.
 *
 * @param onProgress called after each batch that changed a value.
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

function sealAnew(keys: SecretsKeys, context: string, sealed: Buffer): Buffer | 'current' | 'unopened' {
  try {
    const text = decryptSecret(keys, context, sealed);
    return readKeyId(sealed, context) === keys[0].id ? 'current' : encryptSecret(keys, context, text);
  } catch {
    return 'unopened';
  }
}
