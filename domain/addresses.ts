/** Addresses of other services, and those that merchants give. */

/** What a parser drops or rewrites in silence, so that others would read another address. */
const misread = /[\p{Cc}\u2028\u2029\\]/u;

/** Returns what is wrong with the text of an address, or `null` if nothing is. */
export function addressTextFault(text: string): string | null {
  return misread.test(text) ? 'must have no control characters, tabs, line breaks or backslashes' : null;
}

const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Whether requests to an address are encrypted, or stay on this machine. */
export function isEncryptedOrLocal(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || loopbackHosts.has(hostname);
}
