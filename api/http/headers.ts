import type { IncomingMessage } from 'node:http';
import { pendingRetryAfter } from '#domain/answers.ts';
import { isSurelyCard } from '#domain/cards/card-signs.ts';
import { ProblemError } from '#domain/problems.ts';
import { isApiVersion, apiVersions } from '#domain/versions/versions.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';

/** Returns whether a header was sent at most once. Node drops the second one of some headers silently. */
export function isSingleHeader(req: IncomingMessage, name: string): boolean {
  let seen = 0;
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    if (req.rawHeaders[i]?.toLowerCase() === name) seen += 1;
  }
  return seen <= 1;
}

/**
 * Returns the key of an `Idempotency-Key` header: bare, or a string of RFC 8941 §3.3.3.
 *
 * @throws {ProblemError} `idempotency_key_invalid`. Node joins two headers with `, `, which is invalid too. So is a
 *   key that is surely a card number: it would be stored, and be part of a workflow id.
 */
export function parseIdempotencyKey(header: string): string {
  const key = header.startsWith('"') ? unquote(header) : header;
  if (key === null || !/^[\x21-\x7e]{1,255}$/.test(key)) throw new ProblemError('idempotency_key_invalid');
  if (isSurelyCard(key)) {
    throw new ProblemError('idempotency_key_invalid', {
      detail: 'The key reads as a card number. Use a random key, such as a UUID.',
    });
  }
  return key;
}

function unquote(header: string): string | null {
  const content = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)?.[1];
  return content === undefined ? null : content.replaceAll(/\\(["\\])/g, '$1');
}

/**
 * Returns the version that the header names.
 *
 * @throws {ProblemError} `unknown_api_version`
 */
export function parseApiVersion(header: string): ApiVersion {
  if (isApiVersion(header)) return header;
  throw new ProblemError('unknown_api_version', {
    detail: `API-Version can be ${apiVersions.join(' or ')}.`,
  });
}

/** Returns whether `respond-async` is among the preferences (RFC 7240). */
export function prefersAsync(prefer: string | undefined): boolean {
  return (prefer ?? '').split(',').some((preference) => preference.trim().toLowerCase() === 'respond-async');
}

/** Returns the headers that say when to poll a pending resource. */
export function retryAfter({ status }: { status: string }): Record<string, string> {
  return status === 'pending' || status === 'requires_action' ? { 'Retry-After': pendingRetryAfter } : {};
}
