import { AdminError, type Command, type Context, type Input, type Report } from './command.ts';
import { formatTable } from './report.ts';

/** A noun of commands: what is listed, shown and changed by its id. */
export interface Noun<R> {
  /** As commands begin: `client`. */
  name: string;
  find: (db: Context['db'], id: string) => Promise<R | null>;
  describe: (record: R, context: Context) => Report;
}

type Status = 'active' | 'disabled';

/** @throws {AdminError} if there is none. */
export async function requireOne<R>(
  { name, find }: Pick<Noun<R>, 'name' | 'find'>,
  { db }: Pick<Context, 'db'>,
  id: string,
): Promise<R> {
  const found = await find(db, id);
  if (found !== null) return found;
  throw new AdminError(`There is no ${name} ${id}; \`npm run admin -- ${name} list\` lists them.`);
}

/**
 * Changes what the first operand names, and reports it as it is then.
 *
 * @param change resolves to `false` if somebody else changed it meanwhile; it is called again then.
 */
export async function changeOne<R>(
  noun: Noun<R>,
  { operands: [id = ''] }: Input,
  context: Context,
  change: (read: R) => Promise<unknown>,
): Promise<Report> {
  while ((await change(await requireOne(noun, context, id))) === false);
  return noun.describe(await requireOne(noun, context, id), context);
}

/** Returns the command that shows one. */
export function showCommand<R>(noun: Noun<R>, summary: string): Command {
  return {
    name: `${noun.name} show`,
    isRead: true,
    operands: [noun.name.toUpperCase()],
    summary,
    run: async ({ operands: [id = ''] }, context) =>
      noun.describe(await requireOne(noun, context, id), context),
  };
}

/** Returns the commands that disable one and enable it again. */
export function statusCommands<R>(
  noun: Noun<R>,
  summaries: { disable?: string; enable: string },
  change: (db: Context['db'], read: R, status: Status) => Promise<unknown>,
): Command[] {
  return Object.entries(summaries).map(([verb, summary]) => ({
    name: `${noun.name} ${verb}`,
    operands: [noun.name.toUpperCase()],
    summary,
    run: (input, context) =>
      changeOne(noun, input, context, (read) =>
        change(context.db, read, verb === 'disable' ? 'disabled' : 'active'),
      ),
  }));
}

/** What a column shows of a row: a member, or what a function returns. */
type Column<R> = (keyof R & string) | ((row: R) => string);

/** Returns rows as a table and as JSON. */
export function reportRows<R>(
  rows: readonly R[],
  columns: Record<string, Column<R>>,
  { nothing, present }: { nothing: string; present: (row: R) => object },
): Report {
  const cells = rows.map((row) => Object.values(columns).map((column) => toCell(row, column)));
  return { text: formatTable(Object.keys(columns), cells, nothing), json: rows.map(present) };
}

function toCell<R>(row: R, column: Column<R>): string {
  const value = typeof column === 'function' ? column(row) : (row[column] as string | Date | null);
  return value instanceof Date ? value.toISOString() : (value ?? '-');
}
