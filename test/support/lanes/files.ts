import { readdirSync } from 'node:fs';

/** The slowest files. Lanes take them first, so that none is left alone with one of them. */
const slowest = ['test/flows/deployments/scale-out.test.ts', 'test/api/operations/charge-batches.test.ts'];

/** What `npm test -- --quick` leaves out: crashes, deployments, and what takes long by its nature. */
const slowFolders = ['test/flows/crashes/', 'test/flows/deployments/'];

/** Returns every test file, in the order in which lanes take them. */
export function listTestFiles(): string[] {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts'))
    .toSorted();
  return [...slowest, ...files.filter((file) => !slowest.includes(file))];
}

/** Returns the files of `npm test -- --quick`. */
export function listQuickFiles(): string[] {
  return listTestFiles().filter((file) => !slowFolders.some((folder) => file.startsWith(folder)));
}
