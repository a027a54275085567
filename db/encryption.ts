import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Secrets at rest: AES-256-GCM under a key derived from one of `SECRETS_KEY`. The layout is a byte for the scheme, a nonce
 * of 12 bytes, a tag of 16 bytes, and the ciphertext. In scheme 2 the key's id, with its length before it, follows the
 * scheme. Scheme 1 is for a key without an id.
 */

/** One key of `SECRETS_KEY`. */
export interface SecretsKey {
  /** Stored with each secret that the key encrypts. Empty if there is only one key. */
  id: string;
  /** 32 bytes. */
  key: Buffer;
}

/** The first key encrypts; each of them decrypts. */
export type SecretsKeys = readonly [SecretsKey, ...SecretsKey[]];

const schemes = { withoutId: 1, withId: 2 };
const nonceBytes = 12;
const tagBytes = 16;

/** Derives a separate key for each use, so that no use learns anything of another's (RFC 5869). */
export function deriveKey(secretsKey: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretsKey, '', `payments/${use}`, 32));
}

/** Derives one key from each key of `SECRETS_KEY`, in the same order. */
export function deriveKeys(keys: SecretsKeys, use: string): [Buffer, ...Buffer[]] {
  const [first, ...others] = keys;
  return [deriveKey(first.key, use), ...others.map(({ key }) => deriveKey(key, use))];
}

/**
 * Encrypts a secret under the first key. Random nonces are safe for 2^32 secrets of one key (NIST SP 800-38D §8.3).
 *
 * @param context where it is stored, such as `signing_keys/<kid>`. It does not decrypt in another context.
 */
export function encryptSecret([{ id, key }]: SecretsKeys, context: string, secret: string): Buffer {
  const head = buildHeader(id);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key, 'at-rest'), nonce);
  cipher.setAAD(authenticated(context, id));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([head, nonce, cipher.getAuthTag(), text]);
}

function buildHeader(id: string): Buffer {
  if (id === '') return Buffer.from([schemes.withoutId]);
  return Buffer.from([schemes.withId, id.length, ...Buffer.from(id, 'latin1')]);
}

function authenticated(context: string, id: string): Buffer {
  return Buffer.from(id === '' ? context : `${id}\0${context}`);
}

/**
 * Decrypts a secret.
 *
 * @throws if its key is missing, if it was encrypted for another context, or if it was changed.
 */
export function decryptSecret(keys: SecretsKeys, context: string, sealed: Buffer): string {
  const id = readKeyId(sealed, context);
  const body = sealed.subarray(buildHeader(id).length);
  const named = keys.filter((key) => key.id === id);
  // A key may have received or lost its id since.
  const candidates = named.length > 0 && id !== '' ? named : keys.filter((key) => id === '' || key.id === '');
  for (const [index, { key }] of candidates.entries()) {
    try {
      return open(key, authenticated(context, id), body);
    } catch (error) {
      if (index === candidates.length - 1) throw error;
    }
  }
  throw new Error(`${context} was encrypted under the key ${id}, which SECRETS_KEY does not have`);
}

/**
 * Returns the id of the key that encrypted the secret; empty if that key had none.
 *
 * @throws if it is no encrypted secret.
 */
export function readKeyId(sealed: Buffer, context: string): string {
  if (sealed[0] === schemes.withoutId) return '';
  const length = sealed[1] ?? 0;
  if (sealed[0] !== schemes.withId || length === 0 || sealed.length < 2 + length) {
    throw new Error(`${context} is not an encrypted secret`);
  }
  return sealed.subarray(2, 2 + length).toString('latin1');
}

function open(key: Buffer, authenticatedText: Buffer, body: Buffer): string {
  if (body.length < nonceBytes + tagBytes) throw new Error('An encrypted secret is too short');
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
 * Parses `SECRETS_KEY`: 32 bytes in base64, or several such keys with ids, `id:base64,id:base64`. Returns `null` if the text
 * is anything else.
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
