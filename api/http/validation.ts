import type { z } from 'zod';
import { ProblemError, type ValidationFault } from '#domain/problems.ts';
import { InexactNumber, toPointer, visitJson } from '../json/json.ts';

/**
 * Turns the findings of a schema into faults for callers: a pointer, a stable code, a sentence.
 *
 * A schema's own message wins over the sentences here. A refinement names its code in `params.code`.
 */

type Issue = z.core.$ZodIssue & { input?: unknown };
type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/** The most faults of one body. A hostile body may have as many as it has characters. */
const maxFaults = 100;

/**
 * Returns the output of the schema for `body`.
 *
 * @throws {ProblemError} `validation_failed` with every fault, at most 100.
 */
export function validateBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const checked = checkBody(schema, body);
  if ('data' in checked) return checked.data;
  throw invalid(checked.errors);
}

/**
 * Returns the output of the schema for a body whose parts are checked later, each on its own.
 *
 * @throws {ProblemError} `validation_failed`
 */
export function validateFrame<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body, parameterOptions);
  if (result.success) return result.data;
  throw invalid(toFaults(result.error.issues));
}

/** Returns the output of the schema for `body`, or the faults: at most 100 of its texts, and at most 100 others. */
export function checkBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): { data: z.output<Schema> } | { errors: ValidationFault[] } {
  const texts = textFaults(body);
  const result = schema.safeParse(body, parameterOptions);
  if (result.success && texts.length === 0) return { data: result.data };
  return { errors: [...texts, ...(result.success ? [] : toFaults(result.error.issues))] };
}

function invalid(errors: ValidationFault[]): ProblemError {
  return new ProblemError('validation_failed', { extras: { errors: errors.slice(0, maxFaults) } });
}

/** Returns a sentence for each parameter that a schema refused. */
export function describeParameterFaults(issues: readonly z.core.$ZodIssue[]): string {
  return toFaults(issues)
    .map((fault) => `\`${fault.pointer.slice(1)}\` ${fault.detail}`)
    .join('; ')
    .concat('.');
}

/** Options under which {@link describeParameterFaults} can read a schema's issues. */
export const parameterOptions = { error: describe, reportInput: true } as const;

/** Postgres stores no NUL, and half a surrogate pair is no character (RFC 7493 §2.1). */
const unstorable = /\0|\p{Surrogate}/u;

function isUnstorable(text: unknown): boolean {
  return typeof text === 'string' && unstorable.test(text);
}

function textFaults(body: unknown): ValidationFault[] {
  const faults: ValidationFault[] = [];
  visitJson(body, (value, path) => {
    const name = path.at(-1);
    if (faults.length === maxFaults || (!isUnstorable(value) && !isUnstorable(name))) return;
    const detail = 'must not contain U+0000 or half a surrogate pair';
    faults.push({ pointer: toPointer(path), code: 'invalid_text', detail });
  });
  return faults;
}

function toFaults(issues: readonly Issue[]): ValidationFault[] {
  const faults: ValidationFault[] = [];
  for (const issue of issues) {
    if (faults.length === maxFaults) break;
    faults.push(...expandIssue(issue, maxFaults - faults.length));
  }
  return faults;
}

function expandIssue(issue: Issue, most: number): ValidationFault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, most).map((key) => ({
      pointer: toPointer([...issue.path, key]),
      code: 'unknown_member',
      detail: issue.message,
    }));
  }
  return [{ pointer: toPointer(issue.path), code: toFaultCode(issue), detail: issue.message }];
}

function toFaultCode(issue: Issue): string {
  if (issue.input === undefined && issue.code === 'invalid_type') return 'required';
  if (issue.input instanceof InexactNumber) return 'not_a_whole_number';
  if (issue.code === 'invalid_key') return 'invalid_name';
  if (issue.code === 'invalid_union') return 'invalid_value';
  if (issue.code !== 'custom') return issue.code;
  const named: unknown = issue.params?.['code'];
  return typeof named === 'string' ? named : 'invalid_value';
}

const typeNames: Record<string, string> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

function describe(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.input, issue.expected);
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'too_small':
      return `must ${limit(issue.origin)} ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      return `must ${limit(issue.origin)} ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unit(issue.origin)}`;
    case 'invalid_format':
      return issue.format === 'regex' ? 'does not have the required form' : `must be a valid ${issue.format}`;
    case 'unrecognized_keys':
      return 'is not known here';
    case 'invalid_key':
      return `has a name that ${issue.issues[0]?.message ?? 'cannot be used'}`;
    default:
      return undefined;
  }
}

function describeType(input: unknown, expected: string): string {
  if (input instanceof InexactNumber) {
    return 'must be a whole number, written without a fraction and below 2^53';
  }
  return input === undefined ? 'is required' : `must be ${typeNames[expected] ?? `of type ${expected}`}`;
}

const limit = (origin: string) => (origin === 'string' || origin === 'array' ? 'have' : 'be');

function unit(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}
