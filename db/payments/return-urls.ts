import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId } from '#domain/ids.ts';
import { deriveKeys, type SecretsKeys } from '../encryption.ts';
import { prepared, type Database } from '../knex.ts';

/**
 * Where a processor sends a buyer back to: an address of ours that names the charge. Its signature keeps others from
 * asking which charges there are.
 */

/** The path of the addresses, in front of `{charge}.{signature}`. */
export const returnsPath = '/processor/returns';

interface Signing {
  publicUrl: string;
  secretsKey: SecretsKeys;
}

/** The same charge has the same address, until the first key of `SECRETS_KEY` changes. */
export function buildReturnUrl({ publicUrl, secretsKey }: Signing, chargeId: string): string {
  const [key] = deriveKeys(secretsKey, use);
  return `${publicUrl}${returnsPath}/${chargeId}.${sign(key, chargeId).toString('base64url')}`;
}

/** Returns the charge that the last part of an address names, or `null` if its signature is not ours. */
export function readReturn(secretsKey: SecretsKeys, text: string): string | null {
  const [chargeId = '', signature = ''] = text.split('.', 2);
  if (!isId('charge', chargeId) || text.length > 200) return null;
  const given = Buffer.from(signature, 'base64url');
  const isOurs = deriveKeys(secretsKey, use).some((key) => {
    const expected = sign(key, chargeId);
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  return isOurs ? chargeId : null;
}

const use = 'processor-returns';

function sign(key: Buffer, chargeId: string): Buffer {
  return createHmac('sha256', key).update(chargeId).digest();
}

/** Returns where the merchant wants the buyer of a charge back; `null` if there is no such charge or no such address. */
export async function findReturnUrl(db: Database, chargeId: string): Promise<string | null> {
  const [row] = await prepared<{ returnUrl: string | null }>(
    db,
    'find-return-url',
    `select return_url from charges where id = $1`,
    [chargeId],
  );
  return row?.returnUrl ?? null;
}
