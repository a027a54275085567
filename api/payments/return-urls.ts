import { addressTextFault } from '#domain/addresses.ts';

/** Where a merchant wants its buyer back, after the buyer has confirmed a charge. */

export const maxReturnUrlLength = 2_048;

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Returns what is wrong with the form of a `return_url`, or `null` if nothing is. */
export function returnUrlFault(text: string): string | null {
  const fault = addressTextFault(text);
  if (fault !== null) return fault;
  if (!URL.canParse(text)) return 'must be an absolute URL such as https://shop.example/orders/6735';
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https://';
  return username === '' && password === '' ? null : 'must not carry credentials';
}

/** Whether a buyer may be sent there: by https, or in development to this machine. */
export function isReturnAllowed(url: string, allowsLoopback: boolean): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (allowsLoopback && loopbackHosts.includes(hostname));
}

/** Names for the id of the charge in the query of a `return_url`. The first that the merchant does not use is taken. */
export const returnParameters = ['charge', 'charge_id', 'payments_charge_id'] as const;

/**
 * Returns where the buyer of a charge is sent back to. Nothing of the processor's own query is in it. The merchant's
 * query keeps each of its bytes: an order may be signed over them.
 */
export function toReturnLocation(returnUrl: string, chargeId: string): string {
  const [address = '', ...fragment] = new URL(returnUrl).href.split('#');
  const mark = address.indexOf('?');
  const query = mark === -1 ? undefined : address.slice(mark + 1);
  const used = new Set(new URLSearchParams(query ?? '').keys());
  const name = returnParameters.find((parameter) => !used.has(parameter)) ?? returnParameters[0];
  const separator = query === undefined ? '?' : query === '' || query.endsWith('&') ? '' : '&';
  return [`${address}${separator}${name}=${chargeId}`, ...fragment].join('#');
}
