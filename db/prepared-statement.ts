import pg, { type QueryResultRow } from 'pg';

/** The driver's types leave out this member: the text of each statement parsed on a connection, by name. */
type Connection = pg.Connection & { parsedStatements: Readonly<Record<string, string | undefined>> };
type Parameter = Buffer | string | null;
const { utils } = pg as unknown as { utils: { prepareValue(value: unknown): Parameter } };

/** How to read the rows of a statement. */
interface Shape {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
  /** A row of nulls. Filling a copy of it is quicker than adding members one by one. */
  readonly blank: Readonly<Record<string, unknown>>;
}

/** The shapes that each connection has described, by the statement's name. */
const described = new WeakMap<pg.Connection, Map<string, Shape>>();

/**
 * A prepared statement as the driver runs it. The driver's own class asks for the shape of its rows each time, which
 * costs more than a row. This class asks once a connection, and turns column names into camelCase then. A prepared
 * statement keeps its shape: after a migration changed it, Postgres refuses to run the statement.
 */
export class PreparedStatement<Row extends QueryResultRow> implements pg.Submittable {
  /** The driver remembers name and text of each parsed statement. */
  readonly name: string;
  readonly text: string;
  readonly #values: Parameter[];
  readonly #types: pg.CustomTypesConfig;
  readonly #rows: Row[] = [];
  #connection: pg.Connection | null = null;
  #shape: Shape | null = null;
  #error: Error | null = null;
  /** Called with the outcome. The driver wraps it to stop its time-out. */
  callback: (error: Error | null, rows: Row[]) => void;

  /** @param types the parsers that turn a column's text into a value. */
  constructor(
    { name, text, values }: { name: string; text: string; values: readonly unknown[] },
    types: pg.CustomTypesConfig,
    callback: (error: Error | null, rows: Row[]) => void,
  ) {
    this.name = name;
    this.text = text;
    this.#values = values.map((value) => utils.prepareValue(value));
    this.#types = types;
    this.callback = callback;
  }

  /** Sends the statement. Returns an error instead if another statement has its name. */
  submit(connection: pg.Connection): Error | null {
    const { name, text } = this;
    const parsed = (connection as Connection).parsedStatements[name];
    if (parsed !== undefined && parsed !== text) return new Error(`Two statements are called ${name}`);
    this.#connection = connection;
    this.#shape = described.get(connection)?.get(name) ?? null;
    // One write to the socket.
    connection.stream.cork();
    if (parsed === undefined) connection.parse({ name, text, types: [] }, true);
    connection.bind({ statement: name, values: this.#values }, true);
    if (!this.#shape) connection.describe({ type: 'P' }, true);
    connection.execute(null, true);
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    const names = fields.map(({ name }) => toCamelCase(name));
    this.#shape = {
      names,
      parsers: fields.map(({ dataTypeID }) => this.#types.getTypeParser(dataTypeID)),
      blank: Object.fromEntries(names.map((name) => [name, null])),
    };
    const known = described.get(this.#connection!) ?? new Map<string, Shape>();
    described.set(this.#connection!, known.set(this.name, this.#shape));
  }

  handleDataRow({ fields: values }: { fields: readonly (string | null)[] }): void {
    try {
      if (!this.#error) this.#rows.push(toRow(this.#shape, values));
    } catch (error) {
      this.#error = error as Error;
    }
  }

  handleCommandComplete(): void {
    // The statement ends with ReadyForQuery.
  }

  handleReadyForQuery(): void {
    this.callback(this.#error, this.#rows);
  }

  handleError(error: Error): void {
    this.callback(error, []);
  }
}

/** Returns the name that a column has in a row: `account_id` reads as `accountId`. */
export function toCamelCase(column: string): string {
  return column.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

function toRow<Row>(shape: Shape | null, values: readonly (string | null)[]): Row {
  // A pooler in between may have prepared the statement again, after a migration.
  if (shape?.names.length !== values.length) throw new Error('A row has other columns than were described');
  const row = { ...shape.blank };
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? null;
    row[shape.names[i]!] = value === null ? null : shape.parsers[i]!(value);
  }
  return row as Row;
}
