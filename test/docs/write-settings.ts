import { readFileSync, writeFileSync } from 'node:fs';
import { withSecretNames, withSettings } from './settings-tables.ts';

/** Writes the settings into docs/settings.md and the schema of the chart again, after a change of a setting. */
const root = new URL('../../', import.meta.url);
for (const [path, rewrite] of [
  ['docs/settings.md', withSettings],
  ['deploy/helm/payments/values.schema.json', withSecretNames],
] as const) {
  const file = new URL(path, root);
  writeFileSync(file, rewrite(readFileSync(file, 'utf8')));
}
