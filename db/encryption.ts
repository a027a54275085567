import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Secrets at rest: AES-256-GCM under a key derived from one of `SECRETS_KEY`. Layout: one byte that names the scheme; in
 * scheme 2 the length of the key's id and the id; 12 of nonce, 16 of tag, the ciphertext. Scheme 1 is of a key without id.
 */

/** One key of `SECRETS_KEY`. */
export interface SecretsKey {
  /** Stands before what it sealed; empty where there is one key only, as ever. */
  id: string;
  /** 32 bytes. */
  key: Buffer;
}

/** The first seals, and all open. */
export type SecretsKeys = readonly [SecretsKey, ...SecretsKey[]];

const schemes = { withoutId: 1, withId: 2 };
const nonceBytes = 12;
const tagBytes = 16;

/** A key of its own for each use, so that no use learns anything of another's (RFC 5869). */
export function deriveKey(secretsKey: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretsKey, '', `payments/${use}`, 32));
}

/** One derived key for each of `SECRETS_KEY`, in its order: what was made under any of them is known again. */
export function deriveKeys(keys: SecretsKeys, use: string): [Buffer, ...Buffer[]] {
  const [first, ...others] = keys;
  return [deriveKey(first.key, use), ...others.map(({ key }) => deriveKey(key, use))];
}

/**
 * @param place where it will lie, `signing_keys/<kid>` say: moved elsewhere it does not decrypt. Random nonces
 *   are safe for 2^32 secrets of one key (NIST SP 800-38D §8.3).
 */
export function encryptSecret([{ id, key }]: SecretsKeys, place: string, secret: string): Buffer {
  const head = headOf(id);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key, 'at-rest'), nonce);
  cipher.setAAD(authenticated(place, id));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([head, nonce, cipher.getAuthTag(), text]);
}

function headOf(id: string): Buffer {
  if (id === '') return Buffer.from([schemes.withoutId]);
  return Buffer.from([schemes.withId, id.length, ...Buffer.from(id, 'latin1')]);
}

function authenticated(place: string, id: string): Buffer {
  return Buffer.from(id === '' ? place : `${id}\0${place}`);
}

/** @throws when it was encrypted under a key that is not there, for another place, or was changed. */
export function decryptSecret(keys: SecretsKeys, place: string, sealed: Buffer): string {
  const id = keyIdOf(sealed, place);
  const body = sealed.subarray(headOf(id).length);
  const named = keys.filter((key) => key.id === id);
  // A key may have got its id, or lost it, since.
  const candidates = named.length > 0 && id !== '' ? named : keys.filter((key) => id === '' || key.id === '');
  for (const [index, { key }] of candidates.entries()) {
    try {
      return open(key, authenticated(place, id), body);
    } catch (error) {
      if (index === candidates.length - 1) throw error;
    }
  }
  throw new Error(`${place} was encrypted under the key ${id}, which SECRETS_KEY does not have`);
}

/**
 * The id of the key that sealed it; empty where that had none.
 *
 * @throws where it is no sealed secret.
 */
export function keyIdOf(sealed: Buffer, place: string): string {
  if (sealed[0] === schemes.withoutId) return '';
  const length = sealed[1] ?? 0;
  if (sealed[0] !== schemes.withId || length === 0 || sealed.length < 2 + length) {
    throw new Error(`${place} is not a sealed secret`);
  }
  return sealed.subarray(2, 2 + length).toString('latin1');
}

function open(key: Buffer, authenticatedText: Buffer, body: Buffer): string {
  if (body.length < nonceBytes + tagBytes) throw new Error('A sealed secret is cut off');
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(key, 'at-rest'), body.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(authenticatedText);
  decipher.setAuthTag(body.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(body.subarray(nonceBytes + tagBytes)), decipher.final()]).toString(
    'utf8',
  );
}

const keyText = /^(?:([A-Za-z0-9_-]{1,32}):)?([A-Za-z0-9+/]{43}=)$/;

/**
 * `SECRETS_KEY`: 32 bytes in base64, or several keys of them with ids, `id:base64,id:base64`.
 *
 * @returns `null` for anything else.
 */
export function parseSecretsKeys(text: string): SecretsKeys | null {
  const keys = text.split(',').map((part) => {
    const [, id = '', base64 = ''] = keyText.exec(part.trim()) ?? [];
    return { id, key: Buffer.from(base64, 'base64') };
  });
  const ids = new Set(keys.map(({ id }) => id));
  const isRight = keys.every(({ key }) => key.length === 32) && ids.size === keys.length;
  const [first, ...others] = keys;
  return first && isRight && (keys.length === 1 || !ids.has('')) ? [first, ...others] : null;
}
