import { createHash, type Hash } from 'node:crypto';
import { currentTime } from '#db/clock.ts';
import { entityTag } from '#domain/answers.ts';
import { ProblemError, type TaggedRecord } from '#domain/problems.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';

/**
 * Validators and preconditions (RFC 9110 §8.8, §13): whether a reader has the newest
 * answer, and whether a writer saw the newest state.
 */

/** The record of a resource. */
export interface Versioned extends TaggedRecord {
  updatedAt: Date;
}

/**
 * How a resource changes from now on.
 *
 * - `by_itself`: soon and without a request, so that readers poll it.
 * - `never`: it may be cached for good.
 */
export type Change = 'by_itself' | 'on_request' | 'never';

export interface Validators {
  /** As in the header, `W/` included. */
  etag: string;
  lastModified?: Date | undefined;
}

/** Returns the tag of content: strong for one resource, weak for a page. */
export function contentTag(
  content: Buffer | string,
  strength: 'strong' | 'weak',
  apiVersion: ApiVersion,
): string {
  return toContentTag(createHash('sha256').update(apiVersion).update(content), strength);
}

/** Returns the tag of content that was hashed behind its version. */
export function toContentTag(hash: Hash, strength: 'strong' | 'weak'): string {
  const digest = hash.digest('base64url').slice(0, 27);
  return strength === 'strong' ? `"${digest}"` : `W/"${digest}"`;
}

/**
 * Returns the validators of a record. A date has seconds only. A record that changes by itself has none in the second
 * of its change: otherwise a reader would get 304 after the next change.
 */
export function buildValidators(
  record: Versioned,
  apiVersion: ApiVersion,
  change: Change = 'on_request',
): Validators {
  const isUnsteady = change === 'by_itself' && wholeSeconds(record.updatedAt) === wholeSeconds(currentTime());
  return {
    etag: entityTag(record, apiVersion),
    lastModified: isUnsteady ? undefined : record.updatedAt,
  };
}

type Headers = Record<string, string | string[] | undefined>;

/**
 * Returns whether a GET or HEAD is answered with 304 (RFC 9110 §13.2.2).
 *
 * @throws {ProblemError} `precondition_failed`
 */
export function isNotModified(headers: Headers, validators: Validators): boolean {
  if (!isExpected(headers, validators)) throw new ProblemError('precondition_failed');
  const known = header(headers, 'if-none-match');
  if (known !== null) return lists(known, validators.etag, weakly);
  const since = parseDate(header(headers, 'if-modified-since'));
  return since !== null && isUnchangedSince(validators, since);
}

/**
 * Throws unless the caller knows the current record. PUT and PATCH need a precondition, at least `*`. DELETE and POST
 * may have one.
 *
 * The record may change after this check: the write itself is guarded by the record's version.
 *
 * @throws {ProblemError} `precondition_required`, `precondition_failed`
 */
export function requireCurrent(
  request: { method: string; headers: Headers; apiVersion: ApiVersion },
  record: Versioned,
): void {
  const { headers, method, apiVersion } = request;
  const isRequired = method === 'PUT' || method === 'PATCH';
  if (isRequired && header(headers, 'if-match') === null) throw new ProblemError('precondition_required');
  const validators = buildValidators(record, apiVersion);
  const known = header(headers, 'if-none-match');
  const isKnown = known !== null && lists(known, validators.etag, weakly);
  if (!isExpected(headers, validators) || isKnown) throw new ProblemError('precondition_failed');
}

/** Returns whether the request has a precondition. */
export function isConditional({ headers }: { headers: Headers }): boolean {
  return ['if-match', 'if-none-match', 'if-unmodified-since'].some((name) => header(headers, name) !== null);
}

/** Returns whether the preconditions hold (RFC 9110 §13.2.2, steps 1 and 2). A date counts only without a tag. */
function isExpected(headers: Headers, validators: Validators): boolean {
  const expected = header(headers, 'if-match');
  if (expected !== null) return lists(expected, validators.etag, strongly);
  const since = parseDate(header(headers, 'if-unmodified-since'));
  return since === null || validators.lastModified === undefined || isUnchangedSince(validators, since);
}

function isUnchangedSince({ lastModified }: Validators, since: number): boolean {
  return lastModified !== undefined && wholeSeconds(lastModified) * 1000 <= since;
}

type Comparison = (a: string, b: string) => boolean;

/**
 * Returns whether a tag that a caller sent back is one of ours. Proxies that compress an answer make its tag weak, or
 * append the coding (`"…-gzip"` of Apache, `"…--gzip"` of Jetty). The version that the tag names is the same.
 */
const weakly: Comparison = (given, own) => toOpaque(given) === toOpaque(own);
/** RFC 9110 §8.8.3.2, of our own tag: that of a page is weak, and names no version to write over. */
const strongly: Comparison = (given, own) => !own.startsWith('W/') && weakly(given, own);

const toOpaque = (tag: string) =>
  tag.replace(/^W\//, '').replace(/(?:--?|;|:)(?:gzip|br|deflate|zstd)"$/, '"');

/** RFC 9110 §8.8.3: a tag holds any visible character but the quote. */
const tags = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Returns whether a list of tags holds this one, or is `*`. Text that is no tag matches nothing. */
function lists(field: string, tag: string, isSame: Comparison): boolean {
  return field.trim() === '*' || (field.match(tags) ?? []).some((listed) => isSame(listed, tag));
}

function header(headers: Headers, name: string): string | null {
  const value = headers[name];
  return value === undefined ? null : String(value);
}

/** Returns the milliseconds of an HTTP-date in any of its forms (RFC 9110 §5.6.7), `null` for other text. */
function parseDate(text: string | null): number | null {
  if (text === null || !/^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? /.test(text)) {
    return null;
  }
  const ms = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
  return Number.isNaN(ms) ? null : ms;
}

function wholeSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
