import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import { contentTag, toContentTag } from './conditional-requests.ts';

/** Large content is kept and sent in pieces of at least so many bytes, each of which a slow reader takes in time. */
const pieceBytes = 64 * 1024;

/** The tags of bytes that are sent often, such as the pages of the documents. */
const tags = new WeakMap<Buffer, Map<string, string>>();

/** The content of an answer, which is written piece by piece. */
export class Content {
  readonly #version: ApiVersion;
  /** The whole content, if it existed already. */
  readonly #whole: Buffer | null;
  readonly #pieces: Buffer[] = [];
  /** What is not enough for a piece. */
  #rest = '';
  #hash: Hash | null = null;
  #length = 0;

  /** @param whole the bytes that exist already. (Default: none) */
  constructor(version: ApiVersion, whole: Buffer | null = null) {
    this.#version = version;
    this.#whole = whole;
  }

  add(text: string): void {
    this.#rest += text;
    if (this.#rest.length < pieceBytes) return;
    this.#keep(Buffer.from(this.#rest));
    this.#rest = '';
  }

  /** Returns the tag of the whole content. */
  tag(strength: 'strong' | 'weak'): string {
    if (this.#whole) return findTag(this.#whole, strength, this.#version);
    if (!this.#hash) return contentTag(this.#rest, strength, this.#version);
    return toContentTag(this.#hash.copy().update(this.#rest), strength);
  }

  /** In bytes. */
  get length(): number {
    return this.#whole?.length ?? this.#length + Buffer.byteLength(this.#rest);
  }

  /**
   * Returns the content for a response: small content in one write with its head, large content as a stream that forgets
   * each piece when the reader takes it. A HEAD has no bytes.
   */
  toBody(method: string): string | Buffer | Readable {
    const small = this.#whole ?? (this.#pieces.length === 0 ? this.#rest : null);
    if (small !== null && small.length <= pieceBytes) return small;
    return method === 'HEAD' ? '' : Readable.from(this.#takePieces(), { objectMode: false });
  }

  #keep(piece: Buffer): void {
    this.#hash ??= createHash('sha256').update(this.#version);
    this.#hash.update(piece);
    this.#length += piece.length;
    this.#pieces.push(piece);
  }

  *#takePieces(): Generator<string | Buffer> {
    const whole = this.#whole ?? Buffer.alloc(0);
    for (let at = 0; at < whole.length; at += pieceBytes) yield whole.subarray(at, at + pieceBytes);
    for (let piece = this.#pieces.shift(); piece; piece = this.#pieces.shift()) yield piece;
    if (this.#rest.length > 0) yield this.#rest;
  }
}

function findTag(bytes: Buffer, strength: 'strong' | 'weak', version: ApiVersion): string {
  const known = tags.get(bytes) ?? new Map<string, string>();
  tags.set(bytes, known);
  const name = `${strength} ${version}`;
  const tag = known.get(name) ?? contentTag(bytes, strength, version);
  known.set(name, tag);
  return tag;
}
