import { ProblemError, type ProblemCode } from '#domain/problems.ts';
import { strangersBodyLimit } from '../http/body.ts';
import { parseMediaType } from '../http/media-types.ts';
import type { ArrivedRequest, Form } from '../http/route.ts';
import { OAuthError } from './responses.ts';

/**
 * Returns the parameter.
 *
 * @throws {OAuthError} `invalid_request`
 */
export function requireParameter(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`);
  return value;
}

/**
 * Reads the parameters of a form (RFC 6749 §3.2). Each may be given once; an empty one counts as missing.
 *
 * @throws {OAuthError} `invalid_request`
 */
export async function readForm(request: ArrivedRequest): Promise<Form> {
  const media = parseMediaType(request.headers['content-type'] ?? '');
  if (media?.type !== 'application/x-www-form-urlencoded') {
    throw new OAuthError('invalid_request', 'Send the parameters as application/x-www-form-urlencoded.');
  }
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams((await readBody(request)).toString('utf8'))) {
    if (parameters.has(name)) throw new OAuthError('invalid_request', 'A parameter is given twice.');
    parameters.set(name, value);
  }
  return new Map([...parameters].filter(([, value]) => value !== ''));
}

/** The statuses of problems with the form itself, and not with time or load. */
const statuses = new Map<ProblemCode, number>([
  ['payload_too_large', 413],
  ['malformed_request', 400],
]);

async function readBody(request: ArrivedRequest): Promise<Buffer> {
  try {
    return await request.readBody();
  } catch (error) {
    const status = error instanceof ProblemError ? statuses.get(error.code) : undefined;
    if (status === undefined) throw error;
    throw new OAuthError(
      'invalid_request',
      `A form of at most ${strangersBodyLimit} bytes is needed.`,
      status,
    );
  }
}
