import { z } from 'zod';
import { roles } from '#domain/roles.ts';
import type { Scope } from '#domain/scopes.ts';
import type { Context } from '#http/context.ts';
import type { Session } from '../page.ts';
import type { Sealing } from '../sealing.ts';
import { GrantRefused, named, type SessionTokens } from './token-endpoint.ts';

/** How long a session lasts without a request of its person, in milliseconds. */
const idleMs = 30 * 60_000;

/** How old the time of the last request in a cookie may be, in milliseconds: not every answer sets the cookie. */
const renewAfterMs = 60_000;

/** The longest sealed session, in bytes: browsers drop a longer cookie without a word. */
const longest = 4_000;

const purpose = 'session';

/** What the cookie holds; browsers keep 4 KB. */
const content = z.object({
  refreshToken: z.string(),
  id: z.string(),
  member: named,
  role: z.enum(roles),
  account: named.nullable(),
  scope: z.string(),
  /** The account that an operator reads now, with the scopes for it. */
  reading: z.object({ account: named, scope: z.string() }).nullable(),
  /** When the session ends, in milliseconds since 1970. */
  endsAt: z.number(),
  /** The last request of the person, in milliseconds since 1970. */
  usedAt: z.number(),
});

type Content = z.output<typeof content>;

/** A session as its cookie holds it. */
export interface KeptSession {
  session: Session;
  refreshToken: string;
  /** The account that an operator reads; `null`: none. */
  readAccountId: string | null;
}

/** Sessions in sealed cookies: no process keeps any. */
export class SessionCookie {
  readonly #cookies: Cookies;
  readonly #sealing: Sealing;

  constructor(cookies: Cookies, sealing: Sealing) {
    this.#cookies = cookies;
    this.#sealing = sealing;
  }

  /** Begins a session with these tokens. @throws {GrantRefused} if they are too long. */
  async begin(ctx: Context, tokens: SessionTokens): Promise<void> {
    const { member, account, scope } = tokens;
    const now = Date.now();
    await this.#write(ctx, {
      refreshToken: tokens.refresh_token,
      id: tokens.session,
      member: { id: member.id, name: member.name },
      role: member.role,
      account,
      scope,
      reading: null,
      endsAt: now + tokens.refresh_expires_in * 1_000,
      usedAt: now,
    });
  }

  /** Whether the request has a cookie of a session, whatever it is worth. */
  isThere(ctx: Context): boolean {
    return this.#cookies.get(ctx, 'console') !== undefined;
  }

  /**
   * Returns the session; `null` without a cookie, and for one that nobody sealed, that is idle or has ended. A request of
   * the person puts the idle end off. What a page fetches by itself does not, or an open page would never be idle.
   */
  async read(ctx: Context): Promise<KeptSession | null> {
    const kept = await this.#open(ctx);
    if (!kept) return null;
    const now = Date.now();
    if (now >= kept.usedAt + renewAfterMs && !isBackground(ctx))
      await this.#write(ctx, { ...kept, usedAt: now });
    return toSession(kept);
  }

  /** Turns an operator's session to an account that it reads, or back to none. Returns `false` without such a session. */
  async turnTo(ctx: Context, reading: Content['reading']): Promise<boolean> {
    const kept = await this.#open(ctx);
    if (kept?.role !== 'operator') return false;
    await this.#write(ctx, { ...kept, reading, usedAt: Date.now() });
    return true;
  }

  /** Keeps the refresh token that the issuer gave in the place of the one before. */
  async follow(ctx: Context, refreshToken: string): Promise<void> {
    const kept = await this.#open(ctx);
    if (!kept) return;
    await this.#write(ctx, { ...kept, refreshToken, usedAt: isBackground(ctx) ? kept.usedAt : Date.now() });
  }

  clear(ctx: Context): void {
    this.#cookies.clear(ctx, 'console');
  }

  async #open(ctx: Context): Promise<Content | null> {
    const sealed = this.#cookies.get(ctx, 'console');
    const parsed = sealed === undefined ? null : content.safeParse(await this.#sealing.open(purpose, sealed));
    if (!parsed?.success) return null;
    const { endsAt, usedAt } = parsed.data;
    const now = Date.now();
    return now < endsAt && now < usedAt + idleMs ? parsed.data : null;
  }

  async #write(ctx: Context, kept: Content): Promise<void> {
    const sealed = await this.#sealing.seal(purpose, kept);
    if (sealed.length > longest)
      throw new GrantRefused(
        `A session of ${sealed.length} bytes is too long for a cookie: ${longest} at most`,
      );
    this.#cookies.set(ctx, 'console', sealed, { sameSite: 'Strict' });
  }
}

function isBackground(ctx: Context): boolean {
  return ctx.req.headers['sec-fetch-dest'] === 'empty' || new URLSearchParams(ctx.querystring).has('region');
}

function toSession({ refreshToken, id, member, role, account, scope, reading }: Content): KeptSession {
  const scopes = new Set((reading?.scope ?? scope).split(' ') as Scope[]);
  const session = { id, member, role, account: reading?.account ?? account, scopes };
  return { session, refreshToken, readAccountId: reading?.account.id ?? null };
}

/** The cookies of the console. Scripts read none of them. */
export type CookieName = 'console' | 'console-return' | 'console-oidc' | 'console-zone';

/**
 * Sets and reads cookies. Over https they have the prefix `__Host-`, so that no other host of the domain can set them.
 * Over http, which is served on this machine alone, they have no prefix and no `Secure`: browsers differ about both there.
 */
export class Cookies {
  readonly #isSecure: boolean;

  /** @param consoleUrl how browsers reach the console. */
  constructor(consoleUrl: string) {
    this.#isSecure = consoleUrl.startsWith('https:');
  }

  get(ctx: Context, name: CookieName): string | undefined {
    return ctx.cookies.get(this.#fullName(name), { signed: false });
  }

  /**
   * @param maxAge in seconds. (Default: until the browser is closed)
   * @param sameSite `Lax` comes with links from elsewhere, `Strict` does not.
   */
  set(
    ctx: Context,
    name: CookieName,
    value: string,
    options: { sameSite: 'Strict' | 'Lax'; maxAge?: number },
  ): void {
    const { sameSite, maxAge } = options;
    const parts = [
      `${this.#fullName(name)}=${value}`,
      'Path=/',
      'HttpOnly',
      `SameSite=${sameSite}`,
      ...(this.#isSecure ? ['Secure'] : []),
      ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    ];
    ctx.append('Set-Cookie', parts.join('; '));
  }

  clear(ctx: Context, name: CookieName): void {
    this.set(ctx, name, '', { sameSite: 'Strict', maxAge: 0 });
  }

  #fullName(name: CookieName): string {
    return this.#isSecure ? `__Host-${name}` : name;
  }
}
