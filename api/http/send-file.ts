import { addAbortSignal, finished, Transform, type Readable } from 'node:stream';
import type { ByteRange } from '#blobs/port.ts';
import { ProblemError } from '#domain/problems.ts';
import { isNotModified, type Validators } from './conditional-requests.ts';
import type { Context } from './context.ts';
import { parseMediaType } from './media-types.ts';
import { sendNotModified, setValidators } from './render.ts';
import type { FileAnswer } from './route.ts';

/** Sends a file, or a range of it (RFC 9110 §14), with the tag of its bytes. Browsers save it. */

/** The longest time of a download, in milliseconds. Then it is cut, and the caller may continue with a range. */
const sentWithinMs = 15 * 60_000;

/**
 * Takes a place among the open downloads, and returns a function that leaves it. Each download holds a file or a
 * socket to the store.
 */
export type Enter = () => Promise<() => void>;

export async function sendFile(ctx: Context, file: FileAnswer, enter: Enter): Promise<void> {
  const { type } = parseMediaType(file.contentType) ?? { type: file.contentType };
  if (!ctx.accepts(type)) throw new ProblemError('not_acceptable', { detail: `Accept ${type}.` });
  if (isNotModified(ctx.req.headers, file.validators)) return sendNotModified(ctx, file.validators);
  const range = readRange(ctx, file);
  if (range === 'unsatisfiable') {
    throw new ProblemError('range_not_satisfiable', { headers: { 'Content-Range': `bytes */${file.size}` } });
  }
  await sendBytes(ctx, file, range, enter);
}

async function sendBytes(
  ctx: Context,
  file: FileAnswer,
  range: ByteRange | null,
  enter: Enter,
): Promise<void> {
  const { first, last } = range ?? { first: 0, last: file.size - 1 };
  const length = last - first + 1;
  const isEmpty = ctx.method === 'HEAD' || length === 0;
  const body = isEmpty ? Buffer.alloc(0) : await openInPlace(file, { first, last }, enter);
  ctx.status = range ? 206 : 200;
  setValidators(ctx, file.validators);
  ctx.set('Accept-Ranges', 'bytes');
  ctx.set('Content-Disposition', `attachment; filename="${file.name}"`);
  if (range) ctx.set('Content-Range', `bytes ${first}-${last}/${file.size}`);
  ctx.body = body;
  ctx.set('Content-Length', String(length));
  ctx.set('Content-Type', file.contentType);
}

/** The stored file differs from its operation. `api/app.ts` logs it with the trace id of the request. */
export class BrokenFile extends Error {
  override readonly name = 'BrokenFile';
}

/** Opens the file. Its place is left at the last byte, at a lost connection, or when the time is over. */
async function openInPlace(file: FileAnswer, range: ByteRange, enter: Enter): Promise<Readable> {
  const leave = await enter();
  try {
    return (await openExactly(file, range)).once('close', leave);
  } catch (error) {
    leave();
    throw error;
  }
}

/**
 * Opens the range.
 *
 * @throws {BrokenFile} if the store has another number of bytes.
 */
async function openExactly(file: FileAnswer, range: ByteRange): Promise<Readable> {
  const expected = range.last - range.first + 1;
  const { length, bytes } = await file.open(range);
  if (length === expected) return boundedInTime(exactly(expected, bytes, file.name));
  bytes.destroy();
  throw new BrokenFile(`${file.name}: the store has ${length} bytes to give, not ${expected}`);
}

/**
 * Returns the bytes. If there are not exactly `length` bytes, the stream ends with an error, and Koa closes the
 * connection. So a reader never takes a shorter file for the whole, and never waits for more.
 */
function exactly(length: number, bytes: Readable, name: string): Readable {
  let left = length;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left < 0) done(new BrokenFile(`${name}: more bytes than the ${length} that were announced`));
      else done(null, chunk);
    },
    flush: (done) => done(left > 0 ? new BrokenFile(`${name}: ended ${left} bytes early`) : null),
  });
  finished(bytes, { writable: false }, (cause) => {
    if (cause) counted.destroy(new BrokenFile(`${name}: cannot be read to its end`, { cause }));
  });
  counted.once('close', () => bytes.destroy());
  return bytes.pipe(counted);
}

/**
 * Cuts the stream after {@link sentWithinMs}. Koa destroys it when the reader disconnects, which closes the file.
 */
function boundedInTime(body: Readable): Readable {
  const cut = new AbortController();
  const timer = setTimeout(() => cut.abort(), sentWithinMs).unref();
  body.once('close', () => clearTimeout(timer));
  return addAbortSignal(cut.signal, body);
}

/**
 * Returns the range that the request asks for, and `null` for the whole file. Anything but one range of bytes may be
 * ignored (RFC 9110 §14.2).
 */
function readRange(ctx: Context, { size, validators }: FileAnswer): ByteRange | 'unsatisfiable' | null {
  const { range, 'if-range': condition } = ctx.req.headers;
  if (range === undefined || ctx.method !== 'GET' || !isSame(condition, validators)) return null;
  const [, from, to] = /^bytes=[ \t]*(\d*)-(\d*)$/.exec(range) ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  if (from === '') return suffix(Number(to), size);
  const [first, last] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  if (to !== '' && Number(to) < first) return null;
  return first < size ? { first, last } : 'unsatisfiable';
}

/** Returns the range of the last `length` bytes. */
function suffix(length: number, size: number): ByteRange | 'unsatisfiable' {
  if (length === 0 || size === 0) return 'unsatisfiable';
  return { first: Math.max(0, size - length), last: size - 1 };
}

/** Returns whether `If-Range` names this file, by its strong tag or its exact date (RFC 9110 §13.1.5). */
function isSame(condition: string | string[] | undefined, { etag, lastModified }: Validators): boolean {
  if (condition === undefined) return true;
  return condition === etag || condition === lastModified?.toUTCString();
}
