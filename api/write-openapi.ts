import { writeFileSync } from 'node:fs';
import { describedTable } from './described-table.ts';
import { createDocument } from './openapi/document.ts';

/** `npm run openapi`: writes the document of the current version to `openapi.json`, where a test compares it. */
const file = new URL('../openapi.json', import.meta.url);

writeFileSync(file, `${JSON.stringify(createDocument(describedTable()), null, 2)}\n`);
