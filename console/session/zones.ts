import type { Context } from '#http/context.ts';
import { readForm } from '../serving/forms.ts';
import { leadTo, toOwnAddress } from './own-address.ts';
import type { Cookies } from './cookie.ts';

/** The zone of times is kept by the browser, for all who sign in there. Scripts of ours need not know it. */

const keptSeconds = 400 * 86_400;

/** The zones that there are to choose from. */
export const timeZones: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** Returns the zone that this browser has chosen. (Default: UTC) */
export function findZone(ctx: Context, cookies: Cookies): string {
  const kept = cookies.get(ctx, 'console-zone') ?? '';
  return timeZones.includes(kept) ? kept : 'UTC';
}

/** Keeps the zone that a form names, and leads back to where its person was. */
export async function chooseZone(ctx: Context, cookies: Cookies): Promise<void> {
  const form = await readForm(ctx);
  const zone = form.get('zone') ?? '';
  if (timeZones.includes(zone))
    cookies.set(ctx, 'console-zone', zone, { sameSite: 'Strict', maxAge: keptSeconds });
  leadTo(ctx, toOwnAddress(form.get('back') ?? '/'));
}
