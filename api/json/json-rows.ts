import { code, malformed, maxDepth, parseJson, parseValue, type JsonObject } from './json.ts';
import type { Pauses } from './pauses.ts';

/**
 * Reads a body of many rows, `{"charges": [row, row, …]}`, in pieces. No row may be larger than a small body, so no
 * row delays other requests.
 */

/** Members and entries of all rows: 60 in each of 10,000. */
const maxValues = 600_000;

/** Rows in all arrays together. A schema may allow fewer, and then says so. */
const maxRows = 20_000;

/** The limit of a row in bytes, and of all text outside of rows. */
const maxPiece = 256 * 1024;

/** Bytes that are scanned between two pauses. */
const stride = 64 * 1024;

interface Piece {
  start: number;
  end: number;
}

/**
 * Parses a body of many rows.
 *
 * @throws {ProblemError} `malformed_request`
 */
export async function parseRows(bytes: Buffer, pause: Pauses): Promise<JsonObject> {
  const pieces = await findRows(bytes, pause);
  const rows: unknown[] = [];
  for (const { start, end } of pieces) {
    rows.push(parseValue(bytes.subarray(start, end)));
    await pause();
  }
  const frame = parseJson(buildFrame(bytes, pieces), 2 * maxRows);
  for (const [name, member] of Object.entries(frame)) {
    // In the frame, the index of a row is in its place.
    if (Array.isArray(member)) frame[name] = member.map((index) => rows[index as number]);
  }
  return frame;
}

/** Yields the parts of a body, which together hold each value once: each row, and each other member. */
export function* partsOf(body: JsonObject): Generator<object> {
  for (const [name, member] of Object.entries(body)) {
    if (!Array.isArray(member)) yield { [name]: member };
    else {
      yield { [name]: null };
      for (const row of member) yield [row];
    }
  }
}

/** Returns the positions of the entries of the body's own arrays. */
async function findRows(bytes: Buffer, pause: Pauses): Promise<Piece[]> {
  const rows: Piece[] = [];
  let [depth, values, start] = [0, 0, -1];
  let inString = false;
  const endRow = (end: number) => {
    if (end - start > maxPiece) throw malformed(`A row may have at most ${maxPiece} bytes.`);
    // An empty array has no rows. The parser refuses other blank entries.
    if (!isBlank(bytes, start, end) && rows.push({ start, end }) > maxRows) {
      throw malformed(`The body may have at most ${maxRows} rows.`);
    }
  };
  for (let i = 0; i < bytes.length; i += 1) {
    if (i % stride === 0) await pause();
    const byte = bytes[i];
    if (inString) {
      if (byte === code.backslash) i += 1;
      else if (byte === code.quote) inString = false;
    } else if (byte === code.quote) inString = true;
    else if (byte === code.comma) {
      values += 1;
      if (depth === 2 && start >= 0) {
        endRow(i);
        start = i + 1;
      }
    } else if (byte === code.openBrace || byte === code.openBracket) {
      values += 1;
      depth += 1;
      if (depth === 2) start = byte === code.openBracket ? i + 1 : -1;
    } else if (byte === code.closeBrace || byte === code.closeBracket) {
      if (depth === 2 && start >= 0) {
        endRow(i);
        start = -1;
      }
      depth -= 1;
    }
    if (depth > maxDepth) throw malformed(`The body is nested deeper than ${maxDepth} levels.`);
    if (values > maxValues) throw malformed(`The body may have at most ${maxValues} members and entries.`);
  }
  return rows;
}

/** Returns whether the text is blank (RFC 8259 §2). */
function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return false;
  }
  return true;
}

/** Returns the body with the index of each row in place of the row. */
function buildFrame(bytes: Buffer, rows: readonly Piece[]): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  let length = 0;
  for (const [index, { start, end }] of [...rows, { start: bytes.length, end: bytes.length }].entries()) {
    length += start - from;
    parts.push(bytes.subarray(from, start));
    if (index < rows.length) parts.push(Buffer.from(String(index)));
    from = end;
  }
  if (length > maxPiece) throw malformed(`The body may have at most ${maxPiece} bytes outside of its rows.`);
  return Buffer.concat(parts);
}
