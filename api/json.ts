import { isUtf8 } from 'node:buffer';
import { parse } from 'lossless-json';
import { ProblemError } from '../domain/problems.ts';

/**
 * JSON as we take it: I-JSON (RFC 7493) and stricter. What two readers could understand differently is refused.
 */

/** A number that no integer of ours can stand for: with a fraction, or beyond 2^53. Schemas refuse it. */
export class InexactNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type JsonObject = Record<string, unknown>;

const maxDepth = 32;

/** @throws {ProblemError} `malformed_request` */
export function parseJson(bytes: Buffer): JsonObject {
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8.');
  const { depth, members } = measure(bytes);
  if (depth > maxDepth) throw malformed(`The body is nested deeper than ${maxDepth} levels.`);
  const value = parseText(bytes.toString('utf8'));
  if (!isObject(value)) throw malformed('The body must be one JSON object.');
  let seen = 0;
  visitJson(value, (_value, path) => {
    const name = path.at(-1);
    if (typeof name !== 'string') return;
    if (name === '__proto__') throw malformed('No member may be named `__proto__`.');
    seen += 1;
  });
  // The parser lets a member pass that is repeated with an equal value; the text has it twice.
  if (seen !== members) throw malformed('The body has two members of one name in one object.');
  return value;
}

function malformed(detail: string): ProblemError {
  return new ProblemError('malformed_request', { detail });
}

function parseText(text: string): unknown {
  try {
    return parse(text, undefined, parseNumber);
  } catch (error) {
    if (error instanceof SyntaxError) throw malformed(`The body is not valid JSON: ${error.message}.`);
    throw error;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof InexactNumber)
  );
}

const code = {
  quote: 0x22,
  backslash: 0x5c,
  colon: 0x3a,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  openBracket: 0x5b,
  closeBracket: 0x5d,
};

/** How deep a text is nested, before a recursive parser sees it, and how many members its objects have. */
function measure(bytes: Buffer): { depth: number; members: number } {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (inString) {
      if (byte === code.backslash) i += 1;
      else if (byte === code.quote) inString = false;
    } else if (byte === code.quote) inString = true;
    else if (byte === code.colon) members += 1;
    else if (byte === code.openBrace || byte === code.openBracket) deepest = Math.max(deepest, (depth += 1));
    else if (byte === code.closeBrace || byte === code.closeBracket) depth -= 1;
  }
  return { depth: deepest, members };
}

/**
 * Exact or not at all. `1e3` and `10e-1` are integers; `1.0` is written with a fraction and is not.
 *
 * @param text a number by the grammar of RFC 8259 §6.
 */
export function parseNumber(text: string): number | InexactNumber {
  const shifted = /^(-?)(\d+)e-(\d+)$/i.exec(text);
  const plain = shifted ? withoutZeros(shifted) : text;
  const value = plain === null || plain.includes('.') ? NaN : Number(plain);
  // Every integer below 2^53 is read exactly, and none above it is read as one below.
  return Number.isSafeInteger(value) ? value + 0 : new InexactNumber(text);
}

/** `1200e-2` → `12`; `null` when digits other than zeros would fall behind the point. */
function withoutZeros([, sign = '', digits = '', exponent = '']: RegExpExecArray): string | null {
  if (digits === '0') return '0';
  const places = Number(exponent);
  if (places >= digits.length || !digits.endsWith('0'.repeat(places))) return null;
  return sign + digits.slice(0, digits.length - places);
}

export type JsonPath = readonly (string | number)[];

type Visit = (value: unknown, path: JsonPath) => void;

/** Calls `visit` for every value below `root`, with its path; a member's name is the path's last string. */
export function visitJson(root: unknown, visit: Visit): void {
  visitBelow(root, [], visit);
}

function visitBelow(value: unknown, path: (string | number)[], visit: Visit): void {
  if (Array.isArray(value)) value.forEach((item, index) => visitAt(index, item, path, visit));
  else if (isObject(value)) for (const name of Object.keys(value)) visitAt(name, value[name], path, visit);
}

function visitAt(step: string | number, value: unknown, path: (string | number)[], visit: Visit): void {
  path.push(step);
  visit(value, path);
  visitBelow(value, path, visit);
  path.pop();
}

/** RFC 6901 */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
