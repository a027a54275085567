import type { Context } from '#http/context.ts';
import type { Sealing } from '../sealing.ts';
import { readForm } from '../serving/forms.ts';
import { toOwnAddress, type OwnAddress } from './own-address.ts';
import { sendAccountChoice } from './sign-in-pages.tsx';
import { GrantRefused, type Membership } from './token-endpoint.ts';

/**
 * A person of the provider who belongs to several accounts, or was invited to one, says where to sign in. The page holds the
 * provider's ID token, sealed: the API takes it for five minutes.
 */

const purpose = 'person';

/** Who has come back from the provider, and where they were before. */
export interface Waiting {
  idToken: string;
  path: OwnAddress;
}

/** Asks the person where to sign in. */
export async function offerAccounts(
  ctx: Context,
  sealing: Sealing,
  waiting: Waiting,
  memberships: readonly Membership[],
): Promise<void> {
  await sendAccountChoice(ctx, { person: await sealing.seal(purpose, waiting), memberships });
}

/** Returns what the person chose. @throws {GrantRefused} if the form is not one of ours. */
export async function readChoice(ctx: Context, sealing: Sealing): Promise<Waiting & { member: string }> {
  const form = await readForm(ctx);
  const waiting = await sealing.open<Waiting>(purpose, form.get('person') ?? '');
  if (!waiting) throw new GrantRefused('The form was not sealed here');
  return { ...waiting, path: toOwnAddress(waiting.path), member: form.get('member') ?? '' };
}
