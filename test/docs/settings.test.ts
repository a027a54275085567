import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { consoleSettings } from '#console/config.ts';
import { serviceSettings } from '#startup/settings/service.ts';
import { listSettings } from '#startup/settings/setting.ts';
import { withSecretNames, withSettings } from './settings-tables.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const rerun = 'Run `node --import tsx test/docs/write-settings.ts`, and commit what it writes';

describe('docs/settings.md', () => {
  const page = read('docs/settings.md');

  it('describes the settings as the code does', () => {
    assert.ok(page === withSettings(page), rerun);
  });

  it('lists every setting that a process reads once', () => {
    const names = [...listSettings(serviceSettings), ...listSettings(consoleSettings)].map(
      ({ name }) => name,
    );
    const listed = [...page.matchAll(/^\| `([A-Z][A-Z0-9_]+)`/gmu)].map(([, name]) => name);
    assert.ok(listed.length > 40, `only ${listed.length} settings were found`);
    assert.deepEqual([listed.length, new Set(listed)], [new Set(names).size, new Set(names)]);
  });
});

describe('The schema of the chart’s values', () => {
  it('keeps each secret out of the plain settings', () => {
    const schema = read('deploy/helm/payments/values.schema.json');
    assert.ok(schema === withSecretNames(schema), rerun);
  });
});
