import { writeFileSync } from 'node:fs';
import { currentVersion } from '#domain/versions/versions.ts';
import { chargeResources } from './charges.ts';

/** Writes the golden files of charges in the current version. Those of older versions are never written anew. */
for (const [name, resource] of chargeResources) {
  writeFileSync(`test/versions/${currentVersion}/${name}`, `${JSON.stringify(resource, null, 2)}\n`);
}
