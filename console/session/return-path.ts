/** Addresses that sign-in itself serves: nobody goes back there. */
const own = /^\/sign-(?:in|out)(?:[/?#]|$)/;

const longest = 2_000;

/**
 * Returns a path of this console that somebody can be sent to, or `/` for everything else: another site would be an open
 * redirect (CWE-601). Browsers take `//host` and `/\host` for another host, so a path is resolved as they do.
 */
export function safeReturnPath(text: string | undefined): string {
  const base = 'http://console.invalid';
  if (text === undefined || text.length > longest || !text.startsWith('/') || !URL.canParse(text, base))
    return '/';
  const { origin, pathname, search } = new URL(text, base);
  const path = pathname + search;
  return origin === base && !path.startsWith('//') && !own.test(path) ? path : '/';
}
