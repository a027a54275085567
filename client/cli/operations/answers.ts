import { formatTable, toPrintable, type Output } from '../output.ts';

/** How resources are shown to people. */

type Resource = Record<string, unknown>;

/** The columns of a list, as far as its resources have them. Amounts are in minor units, as everywhere in the API. */
const columns = (
  'id trace_id sequence type kind event status method path code amount amount_captured currency charge customer name ' +
  'email url attempt_count done created timestamp at time'
).split(' ');

/** Prints one page of a list as a table. */
export function printList(output: Output, rows: readonly Resource[]): void {
  if (rows.length === 0) return output.line('Nothing is in this list');
  const shown = columns.filter((name) => rows.some((row) => isScalar(row[name])));
  const cells = rows.map((row) => shown.map((name) => (isScalar(row[name]) ? String(row[name]) : '')));
  const [headings = '', ...lines] = formatTable(
    shown.map((name) => name.toUpperCase()),
    cells,
  );
  output.line(output.paint('bold', headings));
  for (const line of lines) output.line(line);
}

/** Prints each member of a resource on a line, with what lies in it indented by its name. */
export function printResource(output: Output, resource: Resource): void {
  const pairs = flatten(resource, '');
  const width = Math.max(...pairs.map(([name]) => name.length));
  for (const [name, value] of pairs)
    output.line(`${output.paint('dim', name.padEnd(width))}  ${toPrintable(value)}`);
}

function flatten(value: Resource, prefix: string): [name: string, value: string][] {
  return Object.entries(value).flatMap(([name, member]): [string, string][] => {
    const at = `${prefix}${name}`;
    if (member === null || member === undefined) return [];
    if (Array.isArray(member) && member.every(isScalar)) return [[at, member.join(', ')]];
    if (Array.isArray(member)) return member.flatMap((item, index) => flatten({ [index]: item }, `${at}.`));
    if (typeof member === 'object') return flatten(member as Resource, `${at}.`);
    return [[at, typeof member === 'string' ? member : JSON.stringify(member)]];
  });
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
