import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** `npm run NAME`, and the name by which `local/start.mjs` knows it. */
const programs = Object.entries(scripts).flatMap(([script, command]): [string, string][] => {
  const [, name] = /^node local\/start\.mjs ([\w-]+)/.exec(command) ?? [];
  return name === undefined ? [] : [[script, name]];
});

describe('The commands of package.json', () => {
  for (const [script, name] of programs) {
    it(`${script} answers --help and does nothing`, () => {
      const { status, stdout, stderr } = spawnSync('node', ['local/start.mjs', name, '--help'], {
        encoding: 'utf8',
        timeout: 30_000,
      });
      assert.deepEqual([status, stderr], [0, '']);
      assert.match(stdout, new RegExp(`npm (run )?${script}`));
    });
  }

  it('migrate without a database says which setting it needs', () => {
    const { DATABASE_URL: _, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync('node', ['local/start.mjs', 'migrate'], {
      encoding: 'utf8',
      env,
      timeout: 30_000,
    });
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /DATABASE_URL: is required/);
    assert.doesNotMatch(stderr, /\n\s+at /);
  });
});
