import { writeFileSync } from 'node:fs';
import { describedTable } from './described-table.ts';
import { createDocument, createServiceDocument } from './openapi/document.ts';

/** `npm run openapi`: writes the documents of the current version beside `package.json`, where a test compares them. */
const table = describedTable();
write('openapi.json', createDocument(table));
write('openapi-service.json', createServiceDocument(table));

function write(name: string, document: object): void {
  writeFileSync(new URL(`../${name}`, import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
}
