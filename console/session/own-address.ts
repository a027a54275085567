import type { Context } from '#http/context.ts';

/** Where sign-in with the OIDC provider begins; a person who is signed in switches the account by it. */
export const oidcPath = '/sign-in/oidc';

/** Shows and takes the choice of a zone for times. */
export const zonePath = '/time-zone';

/** Takes the choice of an account. */
export const choicePath = '/choose-account';

declare const own: unique symbol;

/** A path of this console with its query, that a browser can be sent to. `toOwnAddress` alone makes one. */
export type OwnAddress = string & { readonly [own]: true };

/** Addresses that nobody goes back to: those of sign-in and of choices. */
const passing = /^\/(?:sign-(?:in|out)|choose-account|time-zone)(?:[/?#]|$)/;

/**
 * Two slashes at the start name another host. No path of ours has a slash, a backslash or a control character in it that
 * is encoded: a proxy may decode it.
 */
const foreign = /^\/{2}|\\|%2f|%5c|%[01][\da-f]|%7f/i;

const longest = 2_000;
const base = 'http://console.invalid';

/**
 * Returns a path of this console that somebody can be sent to, or `/` for everything else: another site would be an open
 * redirect (CWE-601). Browsers take `//host`, `/\host` and `/..//host` for another host, so a path is resolved as they do.
 */
export function toOwnAddress(text: string | undefined): OwnAddress {
  if (text === undefined || text.length > longest || !text.startsWith('/') || !URL.canParse(text, base))
    return '/' as OwnAddress;
  const { origin, pathname, search } = new URL(text, base);
  const isOwn = origin === base && !foreign.test(pathname) && !passing.test(pathname);
  return (isOwn ? pathname + search : '/') as OwnAddress;
}

/** Marks the address of a visit that a page of ours has led on once. */
const arrived = 'arrived';

/** Returns whether a page of ours has led this visit on. */
export function hasArrived(ctx: Context): boolean {
  return new URLSearchParams(ctx.querystring).has(arrived);
}

/** Returns the address of this request, without the mark of an arrival. */
export function findOwnAddress(ctx: Context): OwnAddress {
  const query = new URLSearchParams(ctx.querystring);
  // As it was sent, unless something is taken out of it.
  if (!query.has(arrived)) return toOwnAddress(join(ctx.path, ctx.querystring));
  query.delete(arrived);
  return toOwnAddress(join(ctx.path, query.toString()));
}

/** Returns the address of this request, marked, so that nobody is led on twice. */
export function findArrival(ctx: Context): OwnAddress {
  const address = findOwnAddress(ctx);
  return `${address}${address.includes('?') ? '&' : '?'}${arrived}=1` as OwnAddress;
}

function join(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`;
}

/** Leads a browser on to an address of ours, which it asks for with GET. */
export function leadTo(ctx: Context, address: OwnAddress): void {
  ctx.redirect(address);
  ctx.status = 303;
}
