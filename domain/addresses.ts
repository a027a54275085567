/** Addresses of other services, those that merchants give, and those of people. */

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

/** The longest e-mail address (RFC 5321 §4.5.3.1.3). */
const longestEmail = 254;

/** What nobody sees: zero width and other format characters, soft hyphens, and marks that vary a letter. */
const unseen = /[\p{Cf}\p{Variation_Selector}]/gu;

/**
 * Returns an e-mail address as it is kept and compared, or `null` if it is none. Spellings that mail treats as one address,
 * or that look alike, are one here: case, full width (NFKC), characters that nobody sees, a dot at the end, and the name of
 * a host in letters or in its ASCII form.
 */
export function normalizeEmail(text: string): string | null {
  const plain = text.normalize('NFKC').replace(unseen, '').trim().toLowerCase();
  const at = plain.lastIndexOf('@');
  const [local, domain] = [plain.slice(0, at), plain.slice(at + 1)];
  if (at < 1 || /[\s@]/.test(local) || /[\s@/?#\\:]/.test(domain) || !URL.canParse(`http://${domain}`))
    return null;
  const host = new URL(`http://${domain}`).hostname.replace(/\.$/, '');
  const address = `${local}@${host}`;
  return host !== '' && address.length <= longestEmail ? address : null;
}
