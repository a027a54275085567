import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Secrets at rest: AES-256-GCM under a key derived from `SECRETS_KEY`. Layout: one byte that names this
 * scheme, 12 of nonce, 16 of tag, the ciphertext.
 */

const scheme = 1;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + nonceBytes + tagBytes;

/** A key of its own for each use, so that no use learns anything of another's (RFC 5869). */
export function deriveKey(secretsKey: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretsKey, '', `payments/${use}`, 32));
}

/**
 * @param place where it will lie, `signing_keys/<kid>` say: moved elsewhere it does not decrypt. Random nonces
 *   are safe for 2^32 secrets of one key (NIST SP 800-38D §8.3).
 */
export function encryptSecret(secretsKey: Buffer, place: string, secret: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secretsKey, 'at-rest'), nonce);
  cipher.setAAD(Buffer.from(place));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.from([scheme]), nonce, cipher.getAuthTag(), text]);
}

/** @throws when it was encrypted under another key, for another place, or was changed. */
export function decryptSecret(secretsKey: Buffer, place: string, sealed: Buffer): string {
  if (sealed.length < headBytes || sealed[0] !== scheme) throw new Error(`${place} is not a sealed secret`);
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(secretsKey, 'at-rest'), nonce, {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(1 + nonceBytes, headBytes));
  return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()]).toString('utf8');
}
