import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('The lint of patterns', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'payments-lint-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** What oxlint says of the product's code if this were in it. */
  function lint(code: string): string {
    const config = {
      jsPlugins: [join(root, 'test/lint/patterns.js')],
      rules: { 'patterns/linear': 'error' },
    };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
    writeFileSync(join(folder, 'code.ts'), code);
    const oxlint = join(root, 'node_modules/.bin/oxlint');
    const args = ['--config', join(folder, 'config.json'), join(folder, 'code.ts')];
    return spawnSync(oxlint, args, { encoding: 'utf8' }).stdout;
  }

  for (const pattern of [
    String.raw`/\/+$/`,
    String.raw`/^\s*(\d*)\s*-\s*$/`,
    '/^(a+)+$/',
    String.raw`/\s+x/g`,
  ]) {
    it(`refuses ${pattern}, which takes quadratic time`, () => {
      assert.match(lint(`export const pattern = ${pattern};`), /patterns.linear.*Not linear/);
    });
  }

  it('refuses a pattern that it cannot see', () => {
    assert.match(lint('export const of = (text: string) => new RegExp(text);'), /as a literal/);
  });

  it('passes what takes time in proportion', () => {
    assert.doesNotMatch(lint(String.raw`export const pattern = /^bytes=(\d*)-(\d*)$/;`), /patterns.linear/);
  });
});
