import assert from 'node:assert/strict';
import { createDatabase, isDatabaseAway } from '#db/knex.ts';

describe('A database that cannot be reached', () => {
  it('causes warnings in its log, one line each', async () => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const db = createDatabase('postgres://x:x@127.0.0.1:9/x', 1, { warn: write, error: write });
    await assert.rejects(db.raw('select 1'), isDatabaseAway);
    await db.destroy();
    assert.ok(lines.length > 0);
    for (const line of lines) assert.match(line, /^Acquire connection error: .*ECONNREFUSED[^\n]*$/);
  });
});
