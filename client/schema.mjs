/*
 * Makes the types of `openapi.json` for the client, and those of `openapi-service.json` for the console, unless they are
 * there and are of these documents. The files are not kept in git. Everything that reads types runs this first, in plain
 * JavaScript, since it takes no time when there is nothing to do.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Each document, and the file of its types. */
const made = [
  ['openapi.json', 'client/src/schema.ts'],
  ['openapi-service.json', 'console/service/schema.ts'],
];

/** Returns the first line of a file: it names what it was made from. */
function writeHead(document) {
  const hash = createHash('sha256');
  for (const path of [`../${document}`, 'write-schema.ts']) hash.update(readFileSync(at(path)));
  return `// Made from ${document} by client/write-schema.ts (${hash.digest('hex').slice(0, 16)}). Not kept in git.`;
}

/** Makes the types if need be. Returns `false` if they could not be made; the program has printed why. */
function makeSchema([document, target]) {
  const file = at(`../${target}`);
  const head = writeHead(document);
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(head)) return true;
  const args = ['--import', 'tsx', at('write-schema.ts'), document, target, head];
  return spawnSync(process.execPath, args, { cwd: at('..'), stdio: 'inherit' }).status === 0;
}

if (!made.every(makeSchema)) process.exitCode = 1;
