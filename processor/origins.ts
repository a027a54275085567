import { z } from 'zod';

/**
 * The request behind a charge or a refund, as the processor keeps it for us. If the database loses the row, it is made again
 * from this, with its ids and its Idempotency-Key: so a retry of the client finds it, and money does not move twice.
 */
export interface Origin {
  accountId: string;
  claimId: string;
  /** The scope of the key: method and route template. */
  endpoint: string;
  key: string;
  /** SHA-256 of the request, in hex. */
  fingerprint: string;
  /** The path of the request, and the version of the API that it spoke. */
  path: string;
  apiVersion: string;
  /** As the caller named it; `null` for a refund. */
  paymentMethod: string | null;
  customerId: string | null;
  reference: string | null;
}

const origin = z.object({
  accountId: z.string(),
  claimId: z.string(),
  endpoint: z.string(),
  key: z.string().max(255),
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  path: z.string(),
  apiVersion: z.string(),
  paymentMethod: z.string().nullable(),
  customerId: z.string().nullable(),
  reference: z.string().nullable(),
});

/** Returns the text that a processor keeps: less than 2,000 characters. */
export function writeOrigin(from: Origin): string {
  return JSON.stringify(origin.parse(from));
}

/** Returns what a text says; `null` for one that is not ours. */
export function readOrigin(text: string | null): Origin | null {
  if (text === null) return null;
  try {
    return origin.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
