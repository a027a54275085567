import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKeys, type SecretsKeys } from '#db/encryption.ts';
import { resultPath, type Operation } from '#domain/operations.ts';

/** Signed, expiring links to results; readers also need the owner's token. */
export interface ResultLinks {
  /** The signed link to the operation's result, good for 15 to 20 minutes. It stays the same for 5 minutes. */
  sign(operation: Pick<Operation, 'id' | 'type'>, now: Date): SignedLink;
  /** Whether we signed it and it has not expired. */
  isValid(operationId: string, link: { expires: string; signature: string }, now: Date): boolean;
}

export interface SignedLink {
  href: string;
  /** Since when the link reads as it does. */
  since: Date;
}

const windowS = 5 * 60;
const goodForS = 15 * 60;

/** @param secretsKey what links are signed under, by way of a key of their own. */
export function createResultLinks(secretsKey: SecretsKeys, publicUrl: string): ResultLinks {
  const keys = deriveKeys(secretsKey, 'result-links');
  const sign = (operationId: string, expires: string, key = keys[0]) =>
    createHmac('sha256', key).update(`${operationId}.${expires}`).digest('base64url');
  return {
    sign(operation, now) {
      const since = Math.floor(now.getTime() / 1000 / windowS) * windowS;
      const expires = String(since + windowS + goodForS);
      const query = new URLSearchParams({ expires, signature: sign(operation.id, expires) });
      return {
        href: `${publicUrl}${resultPath(operation)}?${query.toString()}`,
        since: new Date(since * 1000),
      };
    },
    isValid(operationId, { expires, signature }, now) {
      const given = Buffer.from(signature);
      const isOurs = keys.some((key) => {
        const ours = Buffer.from(sign(operationId, expires, key));
        return given.length === ours.length && timingSafeEqual(given, ours);
      });
      return isOurs && Number(expires) * 1000 > now.getTime();
    },
  };
}
