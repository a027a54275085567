/** The records of an RFC 4180 text: lines end with CRLF, quotes are doubled. Anything else is an error. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y;
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const [, raw = '', end] = field.exec(text) ?? [];
    if (end === undefined)
      throw new Error(`Not RFC 4180 at ${at}: ${JSON.stringify(text.slice(at, at + 60))}`);
    row.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
