import readBytes from 'raw-body';
import { ProblemError } from '#domain/problems.ts';
import type { Context } from '#http/context.ts';
import type { FormValues } from '../page.ts';

/** The longest form, in bytes. */
export const maxFormBytes = 64 * 1_024;

/**
 * Reads the fields of a form.
 *
 * @throws {ProblemError} `payload_too_large`, `unsupported_media_type`
 */
export async function readForm(ctx: Context): Promise<URLSearchParams> {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return new URLSearchParams();
  if (!ctx.is('application/x-www-form-urlencoded')) throw new ProblemError('unsupported_media_type');
  const length = ctx.req.headers['content-length'];
  const bytes = await readBytes(ctx.req, { limit: maxFormBytes, ...(length !== undefined && { length }) });
  return new URLSearchParams(bytes.toString('utf8'));
}

/** Returns the fields by name. One that is there several times, such as boxes to tick, has commas between its values. */
export function toValues(form: URLSearchParams, without: readonly string[] = []): FormValues {
  const names = [...new Set(form.keys())].filter((name) => !without.includes(name));
  return Object.fromEntries(names.map((name) => [name, form.getAll(name).join(',')]));
}
