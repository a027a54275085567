import { writeFileSync } from 'node:fs';
import { describedTable } from '#api/described-table.ts';
import { createDocument } from '#api/openapi/document.ts';
import { apiVersions, currentVersion } from '#domain/versions/versions.ts';

/** Writes the documents of the older versions into the folder that is named. */
const [folder = '.'] = process.argv.slice(2);
const table = describedTable();
for (const version of apiVersions.filter((one) => one !== currentVersion)) {
  writeFileSync(`${folder}/${version}.json`, JSON.stringify(createDocument(table, { version })));
}
