import { wrongUse } from '../exits.ts';
import { readText } from '../session/files.ts';
import { isNullable, resolve, unwrap, type Document, type Operation, type Schema } from './document.ts';

/** A flag of a command, made from a member of the body or from a parameter. */
export interface Flag {
  /** As it is typed, without the dashes: `capture-method`. */
  name: string;
  /** Where its value goes: into the body at this path, into the query, or into a header. */
  place: { in: 'body'; path: string[] } | { in: 'query' | 'header'; name: string };
  kind: 'text' | 'integer' | 'amount' | 'boolean' | 'texts' | 'pairs' | 'json';
  choices: string[] | null;
  description: string;
  isRequired: boolean;
  isNullable: boolean;
  example: unknown;
}

/** Headers that are flags; the command sets the others itself. */
const headerFlags: Record<string, string> = {
  'Idempotency-Key': 'idempotency-key',
  'If-Match': 'if-match',
  Prefer: 'prefer',
  'API-Version': 'api-version',
};

/** Returns the flags of the operation: those of the body first. */
export function listFlags(document: Document, operation: Operation): Flag[] {
  const body = operation.body ? bodyFlags(document, operation.body.schema, []) : [];
  const flags = new Map<string, Flag>();
  for (const flag of [...body, ...parameterFlags(document, operation)])
    flags.set(flag.name, merge(flags.get(flag.name), flag));
  return [...flags.values()];
}

/** The kinds of a body have members of the same name: one flag takes the choices of all. */
function merge(before: Flag | undefined, flag: Flag): Flag {
  if (!before) return flag;
  const choices = before.choices && flag.choices && [...new Set([...before.choices, ...flag.choices])];
  return { ...before, choices };
}

function bodyFlags(document: Document, given: Schema, path: string[]): Flag[] {
  const schema = resolve(document, given);
  if (schema.oneOf) return schema.oneOf.flatMap((choice) => bodyFlags(document, choice, path));
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const inner = resolve(document, member);
    const at = [...path, name];
    if (inner.properties && at.length < 3) return bodyFlags(document, inner, at);
    const isRequired = path.length === 0 && (schema.required ?? []).includes(name);
    return [
      toFlag(document, { name: at.join('-'), schema: member, isRequired, place: { in: 'body', path: at } }),
    ];
  });
}

function parameterFlags(document: Document, { parameters }: Operation): Flag[] {
  return parameters.flatMap(({ name, in: where, schema, description, example, required = false }) => {
    if (where === 'path') return [];
    const flag = where === 'query' ? name.replaceAll(/[[\]]+/g, '-').replace(/-$/, '') : headerFlags[name];
    if (flag === undefined) return [];
    const described = { ...schema, ...(description && { description }) };
    // The key and the version that was read are found by the command, where they are not given.
    const isRequired = where === 'query' && required;
    const made = toFlag(document, { name: flag, schema: described, isRequired, place: { in: where, name } });
    const isFree = flag === 'api-version';
    return [{ ...made, example: example ?? made.example, choices: isFree ? null : made.choices }];
  });
}

type Member = Pick<Flag, 'name' | 'isRequired' | 'place'> & { schema: Schema };

function toFlag(document: Document, { name, schema: given, isRequired, place }: Member): Flag {
  const schema = resolve(document, given);
  const description = given.description ?? schema.description ?? '';
  return {
    name: name.replaceAll('_', '-'),
    place,
    kind: findKind(document, schema, name),
    choices: findChoices(document, schema),
    description: unwrap(description.split('\n\n')[0] ?? '').trim(),
    isRequired,
    isNullable: isNullable(given) || isNullable(schema),
    example: schema.examples?.[0],
  };
}

function findKind(document: Document, schema: Schema, name: string): Flag['kind'] {
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  if (types.includes('integer')) return /(^|[-_])amount$/.test(name) ? 'amount' : 'integer';
  if (types.includes('boolean')) return 'boolean';
  if (types.includes('array')) {
    const items = resolve(document, schema.items ?? {});
    return items.type === 'string' || items.enum ? 'texts' : 'json';
  }
  const isPairs = types.includes('object') && !schema.properties && schema.additionalProperties;
  if (isPairs) return 'pairs';
  return types.includes('object') || types.includes('number') ? 'json' : 'text';
}

function findChoices(document: Document, schema: Schema): string[] | null {
  if (typeof schema.const === 'string') return [schema.const];
  const items = schema.items ? resolve(document, schema.items) : schema;
  return items.enum?.filter((value): value is string => typeof value === 'string') ?? null;
}

/** Returns the value of a flag from what was typed. @throws {CliError} with a sentence that says what to type */
export function readFlag(flag: Flag, typed: string | string[] | true): unknown {
  const texts = [typed].flat().map(String);
  const [text = ''] = texts;
  switch (flag.kind) {
    case 'amount':
    case 'integer':
      return readInteger(flag, text);
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw wrongUse(`--${flag.name} is true or false, and not "${text}"`);
    case 'texts':
      return texts.flatMap((given) => given.split(',')).map((item) => readChoice(flag, item.trim()));
    case 'pairs':
      return Object.fromEntries(texts.map((pair) => readPair(flag, pair)));
    case 'json':
      return readJson(`--${flag.name}`, text);
    case 'text':
      return readChoice(flag, text);
  }
}

function readInteger({ name, kind }: Flag, text: string): number {
  const value = Number(text);
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  const hint =
    kind === 'amount'
      ? 'a whole number of minor units: for 19.99 EUR it is 1999, and for 500 JPY it is 500'
      : 'a whole number';
  throw wrongUse(`--${name} is ${hint}. "${text}" is not one`);
}

function readChoice({ name, choices }: Flag, text: string): string {
  if (!choices || choices.includes(text)) return text;
  throw wrongUse(`--${name} is one of ${choices.join(', ')}, and not "${text}"`);
}

function readPair({ name }: Flag, text: string): [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw wrongUse(`--${name} takes key=value, for example --${name} order=6735. "${text}" has no key`);
}

/** Returns the JSON of the text, or of a file (`@file`; `@-` is standard input). @throws {CliError} if it is none */
export function readJson(flag: string, text: string): unknown {
  const isFile = text.startsWith('@');
  const source = isFile ? readText(flag, text === '@-' ? 0 : text.slice(1)) : text;
  try {
    return JSON.parse(source) as unknown;
  } catch (error) {
    const hint = isFile ? '' : `. For a file, type ${flag} @FILE`;
    throw wrongUse(`${flag} is not JSON: ${(error as Error).message}${hint}`);
  }
}
