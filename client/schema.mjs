/*
 * Makes `src/schema.ts`, the types of `openapi.json`, unless it is there and is of this document. The file is not kept in
 * git. Everything that reads types runs this first, in plain JavaScript, since it takes no time when there is nothing to do.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Returns the first line of the file: it names what it was made from. */
function writeHead() {
  const hash = createHash('sha256');
  for (const path of ['../openapi.json', 'write-schema.ts']) hash.update(readFileSync(at(path)));
  return `// Made from openapi.json by client/write-schema.ts (${hash.digest('hex').slice(0, 16)}). Not kept in git.`;
}

/** Makes the types if need be. Returns `false` if they could not be made; the program has printed why. */
function makeSchema() {
  const file = at('src/schema.ts');
  const head = writeHead();
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(head)) return true;
  const args = ['--import', 'tsx', at('write-schema.ts'), head];
  return spawnSync(process.execPath, args, { cwd: at('..'), stdio: 'inherit' }).status === 0;
}

if (!makeSchema()) process.exitCode = 1;
