import { z } from 'zod';
import { ProblemError } from '#domain/problems.ts';
import { describeParameterFaults, parameterOptions } from './validation.ts';

/** The schema of a route without parameters. */
export const noParameters = z.strictObject({});

/**
 * Parses a query.
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
  const result = schema.safeParse(query === '' ? {} : readParameters(query, toCurrent), parameterOptions);
  if (result.success) return result.data;
  throw invalid(describeParameterFaults(result.error.issues));
}

function readParameters(
  query: string,
  toCurrent: (name: string, value: string) => string,
): Record<string, string | Record<string, string>> {
  const parameters = new Map<string, string>();
  const metadata = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const key = metadataName.exec(name)?.[1];
    const [into, as] = key === undefined ? [parameters, name] : [metadata, key];
    if (into.has(as)) throw invalid(`\`${name}\` is given twice.`);
    // Postgres stores no NUL. U+FFFD replaces bytes that are not UTF-8.
    if (/[\0\ufffd]/.test(`${key ?? ''}${value}`)) throw invalid(`\`${name}\` is not valid text.`);
    into.set(as, toCurrent(name, value));
  }
  if (metadata.size === 0) return Object.fromEntries(parameters);
  if (parameters.has('metadata')) throw invalid('`metadata` is given twice.');
  return { ...Object.fromEntries(parameters), metadata: Object.fromEntries(metadata) };
}

/** A member of the one parameter that is an object (OpenAPI's `deepObject`). A key may hold brackets. */
const metadataName = /^metadata\[(.*)\]$/s;

function invalid(detail: string): ProblemError {
  return new ProblemError('invalid_parameter', { detail });
}
