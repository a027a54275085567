import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('SECURITY.md', () => {
  const text = readFileSync(join(root, 'SECURITY.md'), 'utf8');
  const [, boundaries = ''] = text.split('## Boundaries');
  const [claims = ''] = boundaries.split('\n## ');
  const rows = claims.split('\n').filter((line) => /^\| (?!claim)[^|]/.test(line));

  it('names a test that is there for each claim', () => {
    assert.ok(rows.length > 20);
    for (const row of rows) {
      const files = [...row.matchAll(/`(test\/[^`]+\.test\.ts)`/g)].map(([, file = '']) => file);
      assert.ok(files.length > 0, `no test is named: ${row}`);
      for (const file of files) assert.ok(existsSync(join(root, file)), `${file} is not there`);
    }
  });
});
