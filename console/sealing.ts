import { CompactEncrypt, compactDecrypt } from 'jose';
import type { SealingKey } from './config.ts';

const algorithm = 'dir';
const encryption = 'A256GCM';

/**
 * Seals what a browser keeps for us: nobody else can read it, change it, or use it for another purpose (a JWE, RFC 7516).
 * So the process keeps nothing, and any number of them may run.
 */
export class Sealing {
  readonly #keys: readonly SealingKey[];

  /** @param keys the first one seals, all of them open; at least one. */
  constructor(keys: readonly SealingKey[]) {
    this.#keys = keys;
  }

  /** @param purpose a few letters; what is sealed for one purpose does not open for another. */
  seal(purpose: string, content: object): Promise<string> {
    const [key] = this.#keys as [SealingKey];
    return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(content)))
      .setProtectedHeader({ alg: algorithm, enc: encryption, kid: key.id, typ: purpose })
      .encrypt(key.bytes);
  }

  /** Returns the content; `null` if it was not sealed by one of our keys for this purpose. */
  async open<Content>(purpose: string, sealed: string): Promise<Content | null> {
    try {
      const { plaintext, protectedHeader } = await compactDecrypt(sealed, ({ kid }) => this.#findKey(kid), {
        keyManagementAlgorithms: [algorithm],
        contentEncryptionAlgorithms: [encryption],
      });
      if (protectedHeader.typ !== purpose) return null;
      return JSON.parse(new TextDecoder().decode(plaintext)) as Content;
    } catch {
      return null;
    }
  }

  #findKey(kid: string | undefined): Uint8Array {
    const key = this.#keys.find(({ id }) => id === kid);
    if (!key) throw new Error('sealed by a key that is not ours');
    return key.bytes;
  }
}
