import { CliError } from '../exits.ts';
import { formatTable, toPrintable, type Output } from '../output.ts';
import type { Answer } from '../session/connection.ts';
import { sayUnknown, type LostWrite } from '../session/failures.ts';

/** How answers are shown to people. */

type Resource = Record<string, unknown>;

/** What a list shows, as far as its resources have it. Amounts are in minor units, as everywhere in the API. */
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

interface ProblemBody {
  code: string;
  detail?: string;
  title?: string;
  trace_id?: string;
  decline_code?: string;
  charge?: string;
  errors?: { pointer: string; detail: string }[];
}

/** Codes after which a write may have had its effect. */
const unknownCodes = ['outcome_unknown', 'idempotency_key_in_progress', 'internal_error'];

/**
 * Ends the command with what the service said.
 *
 * @param sent the write that it was; `null` for a read
 * @throws {CliError} always
 */
export function refuse(answer: Answer, sent: LostWrite | null): never {
  const { status } = answer;
  const problem = readProblem(answer.body);
  const sentence = problem
    ? sayProblem(status, problem)
    : `The service answered ${status}, and not in the way of this API. Is the address right?`;
  if (status === 401)
    throw new CliError(
      'notSignedIn',
      `${sentence}\nRun \`payments login\` again, or look with \`payments doctor\``,
    );
  const isUnknown = sent && (unknownCodes.includes(problem?.code ?? '') || [500, 502, 504].includes(status));
  if (isUnknown) throw new CliError('noAnswer', `${sentence}\n${sayUnknown(sent)}`);
  throw new CliError('refused', sentence);
}

function sayProblem(status: number, problem: ProblemBody): string {
  const decline = problem.decline_code ? ` (${problem.decline_code})` : '';
  return [
    `${status} ${problem.code}${decline}: ${problem.detail ?? problem.title ?? ''}`,
    ...(problem.errors ?? []).map(({ pointer, detail }) => `  ${sayPointer(pointer)}: ${detail}`),
    ...(problem.charge ? [`  The charge is ${problem.charge}`] : []),
    ...(problem.trace_id ? [`  The request is ${problem.trace_id} in the logs of the service`] : []),
  ]
    .map(toPrintable)
    .join('\n');
}

/** `/filter/created` is the flag `--filter-created`. */
function sayPointer(pointer: string): string {
  return pointer === '' ? 'the body' : `--${pointer.slice(1).replaceAll(/[/_]/g, '-')}`;
}

/** Returns the problem of an answer, or the error of the issuer; `null` if another server answered. */
export function readProblem(body: unknown): ProblemBody | null {
  if (typeof body !== 'object' || body === null) return null;
  if ('code' in body) return body as ProblemBody;
  const { error, error_description: detail } = body as { error?: unknown; error_description?: string };
  return typeof error === 'string' ? { code: error, ...(detail !== undefined && { detail }) } : null;
}
