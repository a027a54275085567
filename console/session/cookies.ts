import type { Context } from '#http/context.ts';

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
