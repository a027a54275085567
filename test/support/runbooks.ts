import { readFileSync } from 'node:fs';

/** The statements that a page of `docs/runbooks` tells its reader to run as they stand, in their order. */
export function readStatements(page: string): string[] {
  const quoted = [...readFileSync(page, 'utf8').matchAll(/`(select [^`]+)`/g)].map(
    ([, statement]) => statement!,
  );
  // With a word in capitals, the reader puts something in.
  return quoted.filter((statement) => !/\b[A-Z]{3,}\b/.test(statement));
}
