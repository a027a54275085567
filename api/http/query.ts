import { z } from 'zod';
import { ProblemError } from '#domain/problems.ts';
import { describeParameterFaults, parameterOptions } from './validation.ts';

/** The schema of a route without parameters. */
export const noParameters = z.strictObject({});

/**
 * Parses a query. A parameter whose schema is an array may be given several times.
 *
 * @param query without the question mark.
 * @param toCurrent returns the current spelling of a value of an older version.
 * @throws {ProblemError} `invalid_parameter`, which names each parameter that is unknown, repeated or invalid.
 */
export function parseQuery<Schema extends z.ZodType>(
  schema: Schema,
  query: string,
  toCurrent: (name: string, value: string) => string = (_name, value) => value,
): z.output<Schema> {
  const read = query === '' ? {} : readParameters(query, toCurrent, listRepeatable(schema));
  const result = schema.safeParse(read, parameterOptions);
  if (result.success) return result.data;
  throw invalid(describeParameterFaults(result.error.issues));
}

/** Returns the names of the parameters that are arrays. */
function listRepeatable(schema: z.ZodType): ReadonlySet<string> {
  const known = repeatable.get(schema);
  if (known) return known;
  const shape = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
  const isArray = (member: z.ZodType): boolean =>
    member instanceof z.ZodArray ||
    (member instanceof z.ZodOptional && isArray(member.unwrap() as z.ZodType));
  const names = new Set(Object.keys(shape).filter((name) => isArray(shape[name]!)));
  repeatable.set(schema, names);
  return names;
}

const repeatable = new WeakMap<z.ZodType, ReadonlySet<string>>();

function readParameters(
  query: string,
  toCurrent: (name: string, value: string) => string,
  arrays: ReadonlySet<string>,
): Record<string, string | string[] | Record<string, string>> {
  const parameters = new Map<string, string>();
  const lists = new Map<string, string[]>();
  const metadata = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const key = metadataName.exec(name)?.[1];
    const [into, as] = key === undefined ? [parameters, name] : [metadata, key];
    if (into.has(as)) throw invalid(`\`${name}\` is given twice.`);
    // Postgres stores no NUL. U+FFFD replaces bytes that are not UTF-8.
    if (/[\0\ufffd]/.test(`${key ?? ''}${value}`)) throw invalid(`\`${name}\` is not valid text.`);
    if (arrays.has(name)) lists.set(name, [...(lists.get(name) ?? []), toCurrent(name, value)]);
    else into.set(as, toCurrent(name, value));
  }
  const given = { ...Object.fromEntries(parameters), ...Object.fromEntries(lists) };
  if (metadata.size === 0) return given;
  if (parameters.has('metadata')) throw invalid('`metadata` is given twice.');
  return { ...given, metadata: Object.fromEntries(metadata) };
}

/** A member of the one parameter that is an object (OpenAPI's `deepObject`). A key may hold brackets. */
const metadataName = /^metadata\[(.*)\]$/s;

function invalid(detail: string): ProblemError {
  return new ProblemError('invalid_parameter', { detail });
}
