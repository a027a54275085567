import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beginClaim, beginFoundClaim } from '#db/writes/begin.ts';

/** The statements of a room, as they stand in its source. */
function statements(): { file: string; sql: string }[] {
  const folder = fileURLToPath(new URL('../../db/', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  return files.flatMap((file) => {
    const source = readFileSync(folder + file, 'utf8');
    const strings = source.matchAll(/`(?:\\.|\$\{[^}]*\}|[^`\\])*`/g);
    return [...strings].map(([sql]) => ({ file, sql }));
  });
}

/** Its own begin: what is answered in the same statement moves no money. */
const begins = (sql: string) =>
  /\bset\s+begun_at = |insert into idempotency_keys[^)]*\bbegun_at\b/.test(sql) &&
  !sql.includes('answered_at)') &&
  !/begun_at, answered_at/.test(sql) &&
  !/set\s+begun_at = [^;]*, answered_at = clock_timestamp\(\)/.test(sql);

describe('The statements that begin a claim', () => {
  const found = statements().filter(({ sql }) => begins(sql));

  it('are found in the source of this room', () => {
    const files = [...new Set(found.map(({ file }) => file))].toSorted();
    assert.deepEqual(files, ['operations/charge-batches.ts', 'writes/begin.ts']);
  });

  it('let nothing begin for a disabled account', () => {
    const open = found.filter(({ sql }) => !/\$\{(isBeginnable\}|isActive\()/.test(sql));
    assert.deepEqual(open, []);
  });

  it('ask for the account where they share one condition', () => {
    for (const sql of [beginClaim, beginFoundClaim]) assert.match(sql, /a\.status = 'active'/);
  });
});
