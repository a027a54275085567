import { wrongUse } from '../exits.ts';
import type { RequestOptions } from '../session/connection.ts';
import type { Operation } from './document.ts';
import { readFlag, readJson, type Flag } from './flags.ts';

/** A request of an operation, made from what was typed. */
export interface BuiltRequest extends RequestOptions {
  method: string;
  path: string;
  headers: Record<string, string>;
  query: Record<string, string | string[]>;
}

/** The typed flags by name, and the whole body of `--data`. */
export interface Typed {
  arguments: string[];
  flags: Record<string, string | string[] | true | undefined>;
  data?: string | undefined;
  /** Members that a change takes away: `description`, `metadata.order`. */
  unset?: string[] | undefined;
}

/** @throws {CliError} if something is missing, or not what the document says */
export function buildRequest(operation: Operation, flags: readonly Flag[], typed: Typed): BuiltRequest {
  const given = typed.arguments.values();
  const path = operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(given.next().value ?? ''));
  const request: BuiltRequest = { method: operation.method, path, headers: {}, query: {} };
  const body = operation.body ? readData(typed.data) : {};
  for (const flag of flags) {
    const text = typed.flags[flag.name];
    if (text !== undefined) place(request, body, flag, readFlag(flag, text));
  }
  for (const member of typed.unset ?? []) placeInBody(body, member.replaceAll('-', '_').split('.'), null);
  const { 'Idempotency-Key': key, ...headers } = request.headers;
  if (operation.body) requireFlags(flags, body);
  return {
    ...request,
    headers: { ...headers, ...(operation.body && { 'Content-Type': operation.body.type }) },
    ...(operation.body && { body: encode(operation.body.type, body) }),
    ...(key !== undefined && { idempotencyKey: key }),
  };
}

/** Tokens are asked for by a form, as RFC 6749 says; all else is JSON. */
function encode(type: string, body: Record<string, unknown>): unknown {
  if (type !== 'application/x-www-form-urlencoded') return body;
  const pairs = Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(pairs).toString();
}

function readData(data: string | undefined): Record<string, unknown> {
  if (data === undefined) return {};
  const body = readJson('--data', data);
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw wrongUse('--data is a JSON object, such as {"amount":1999,"currency":"EUR"}');
}

function place(request: BuiltRequest, body: Record<string, unknown>, flag: Flag, value: unknown): void {
  if (flag.place.in === 'body') placeInBody(body, flag.place.path, value);
  else if (flag.place.in === 'header') request.headers[flag.place.name] = String(value);
  else placeInQuery(request.query, flag, flag.place.name, value);
}

/** Pairs become `metadata[key]=value`, and several texts repeat the parameter. */
function placeInQuery(query: BuiltRequest['query'], flag: Flag, name: string, value: unknown): void {
  if (flag.kind === 'texts') query[name] = value as string[];
  else if (flag.kind !== 'pairs') query[name] = String(value);
  else for (const [key, item] of Object.entries(value as object)) query[`${name}[${key}]`] = String(item);
}

function placeInBody(body: Record<string, unknown>, path: string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) body[name] = value;
  else {
    const inner = (body[name] ??= {}) as Record<string, unknown>;
    placeInBody(inner, rest, value);
  }
}

/** Says all flags that are missing at once. A body of `--data` can hold them instead. */
function requireFlags(flags: readonly Flag[], body: Record<string, unknown>): void {
  const missing = flags.filter(
    ({ isRequired, place: at }) => isRequired && at.in === 'body' && !((at.path[0] ?? '') in body),
  );
  if (missing.length === 0) return;
  const typed = missing.map((flag) => `--${flag.name} ${sayExample(flag)}`).join(' ');
  throw wrongUse(`Something is missing. Add: ${typed}`);
}

/** Returns a value that could be typed. */
export function sayExample({ example, choices, kind }: Flag): string {
  const value = [example].flat()[0];
  if (kind === 'pairs') return 'order=6735';
  if (typeof value === 'object' && value !== null) return `'${JSON.stringify(example)}'`;
  if (typeof value === 'string') return /[\s*?"]/.test(value) ? `'${value}'` : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return choices?.[0] ?? (kind === 'integer' || kind === 'amount' ? '1' : '…');
}
