import { isUtf8 } from 'node:buffer';
import { parse } from 'lossless-json';
import { maskCardNumbers } from '#domain/cards/card-numbers.ts';
import { ProblemError } from '#domain/problems.ts';

/** Parses I-JSON (RFC 7493), and is stricter: it refuses JSON that two readers could understand differently. */

/** A number with a fraction, or beyond 2^53. Schemas refuse it. */
export class InexactNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type JsonObject = Record<string, unknown>;

export const maxDepth = 32;

/** The most members and entries of a body, at all depths: each costs many times as much memory as its text. */
const maxValues = 2_000;

/**
 * Parses a body.
 *
 * @param most the limit of members and entries.
 * @throws {ProblemError} `malformed_request`
 */
export function parseJson(bytes: Buffer, most = maxValues): JsonObject {
  const value = parseValue(bytes, most);
  if (!isObject(value)) throw malformed('The body must be one JSON object.');
  return value;
}

/** Parses a value of any type, as {@link parseJson} parses an object. */
export function parseValue(bytes: Buffer, most = maxValues): unknown {
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8.');
  const { depth, members, values } = measure(bytes);
  if (depth > maxDepth) throw malformed(`The body is nested deeper than ${maxDepth} levels.`);
  if (values > most) throw malformed(`The body may have at most ${most} members and entries.`);
  const value = parseText(bytes.toString('utf8'));
  let seen = 0;
  visitJson(value, (_value, path) => {
    const name = path.at(-1);
    if (typeof name !== 'string') return;
    if (name === '__proto__') throw malformed('No member may be named `__proto__`.');
    seen += 1;
  });
  // The parser accepts a repeated member with an equal value, so the text is counted.
  if (seen !== members) throw malformed('An object in the body has two members with the same name.');
  return value;
}

export function malformed(detail: string): ProblemError {
  return new ProblemError('malformed_request', { detail });
}

function parseText(text: string): unknown {
  try {
    return parse(text, undefined, parseNumber);
  } catch (error) {
    if (error instanceof SyntaxError)
      throw malformed(`The body is not valid JSON: ${shorten(maskCardNumbers(error.message))}.`);
    throw error;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof InexactNumber)
  );
}

/**
 * Returns `target` with `patch` applied (RFC 7386 §2). A member with `null` is removed, an object is merged, and any
 * other value replaces the old one. Neither argument is changed.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const members = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value));
  }
  // `fromEntries` defines members, so `__proto__` is a member like any other.
  return Object.fromEntries(members);
}

/** The characters that JSON is made of, as bytes. */
export const code = {
  quote: 0x22,
  backslash: 0x5c,
  colon: 0x3a,
  comma: 0x2c,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  openBracket: 0x5b,
  closeBracket: 0x5d,
};

/** Returns the depth of a text, its number of members, and the most values that it can hold. */
function measure(bytes: Buffer): { depth: number; members: number; values: number } {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let values = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (inString) {
      if (byte === code.backslash) i += 1;
      else if (byte === code.quote) inString = false;
    } else if (byte === code.quote) inString = true;
    else if (byte === code.colon) members += 1;
    else if (byte === code.comma) values += 1;
    else if (byte === code.openBrace || byte === code.openBracket) {
      values += 1;
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (byte === code.closeBrace || byte === code.closeBracket) depth -= 1;
  }
  return { depth: deepest, members, values };
}

/**
 * Parses an integer exactly. `1e3` and `10e-1` are integers. `1.0` has a fraction, and is an {@link InexactNumber}.
 *
 * @param text a number by the grammar of RFC 8259 §6.
 */
export function parseNumber(text: string): number | InexactNumber {
  const shifted = /^(-?)(\d+)e-(\d+)$/i.exec(text);
  const plain = shifted ? withoutZeros(shifted) : text;
  const value = plain === null || plain.includes('.') ? NaN : Number(plain);
  // Every integer below 2^53 is read exactly, and no larger one is read as one below.
  return Number.isSafeInteger(value) ? value + 0 : new InexactNumber(text);
}

/** Returns `12` for `1200e-2`. Returns `null` if other digits than zeros would follow the point. */
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

/** The most characters of a caller's text in an answer. */
const maxTold = 256;

/**
 * Returns a JSON pointer (RFC 6901). One of more than 256 characters is cut, and ends in `…`. A name that reads as a card
 * number is masked.
 */
export function toPointer(path: readonly PropertyKey[]): string {
  let pointer = '';
  for (const step of path) {
    if (pointer.length > maxTold) break;
    const name = maskCardNumbers(String(step).slice(0, maxTold));
    pointer += `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return shorten(pointer);
}

function shorten(text: string): string {
  return text.length > maxTold ? `${text.slice(0, maxTold)}…` : text;
}
