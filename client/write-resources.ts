import { writeFileSync } from 'node:fs';
import { readDocument } from './cli/operations/document.ts';
import { makeFiles } from './templates/files.ts';

/** Writes the resources of the clients from `openapi.json`: `npm run openapi` does. */

for (const [path, text] of await makeFiles(readDocument()))
  writeFileSync(new URL(path, import.meta.url), text);
