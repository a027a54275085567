import { ProcessorFault, ProcessorKeyError, type ProcessorMode, type ProcessorSettings } from '../port.ts';

/** Where Stripe's API is. */
export const stripeUrl = 'https://api.stripe.com';

/**
 * Reads the mode of a secret or restricted key from its prefix.
 *
 * @throws {ProcessorKeyError} for anything else, such as a publishable key.
 */
export function readKey(key: string): { mode: ProcessorMode } {
  const mode = /^(?:sk|rk)_(test|live)_[\x21-\x7e]{8,247}$/.exec(key)?.[1];
  if (mode === 'test' || mode === 'live') return { mode };
  const hint = key.startsWith('pk_') ? ' This is a publishable key: it can take no money.' : '';
  throw new ProcessorKeyError(`A key of Stripe begins with sk_test_, rk_test_, sk_live_ or rk_live_.${hint}`);
}

const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Returns where to send requests with this key. A live key goes to Stripe and nowhere else.
 *
 * @throws {ProcessorKeyError} for a live key and another address, and for another address beyond this machine.
 */
export function chooseUrl({ key, url }: Pick<ProcessorSettings, 'key' | 'url'>): string {
  const { mode } = readKey(key);
  if (url === null || new URL(url).origin === stripeUrl) return stripeUrl;
  if (mode === 'live') throw new ProcessorKeyError(`A live key of Stripe is sent to ${stripeUrl} only.`);
  const { hostname } = new URL(url);
  if (!loopbackHosts.has(hostname))
    throw new ProcessorKeyError('Another address than that of Stripe must be on this machine.');
  return url;
}

/** Rephrases a refusal of the key for the operator. Other faults stay what they are. */
export function explainKey(error: unknown): unknown {
  return error instanceof ProcessorFault && error.misconfigured
    ? new ProcessorKeyError('Stripe refuses this key, or it may not read its account.', { cause: error })
    : error;
}
