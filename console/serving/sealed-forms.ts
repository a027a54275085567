import type { Sealing } from '../sealing.ts';
import type { ApiCall, Preview, Visit } from '../page.ts';

/** How long a preview may be sent, in milliseconds. The API keeps keys for 24 h at least: a repeat still finds its first. */
const goodForMs = 60 * 60 * 1_000;

/** What is sealed, by its purpose. It is bound to who saw it, and to where. */
interface Sealed {
  /**
   * The Idempotency-Key of a form, before anything is typed. So a preview that the browser asks for a second time, as it
   * does when its person goes back, has the key of the first.
   */
  draft: { key: string };
  /** What a preview has shown: exactly that is sent. */
  form: SealedForm;
}

/** A call with its key, and the words that it was shown with. */
export interface SealedForm extends Omit<Preview, 'call'> {
  key: string;
  call: ApiCall;
}

interface Origin {
  /** Milliseconds since 1970. */
  at: number;
  member: string;
  account: string | null;
  path: string;
}

/** Seals a draft or a form for this person at this address. */
export function seal<Purpose extends keyof Sealed>(
  sealing: Sealing,
  purpose: Purpose,
  content: Sealed[Purpose],
  visit: Visit,
): Promise<string> {
  return sealing.seal(purpose, { ...content, ...toOrigin(visit) });
}

/** Returns what was sealed; `expired` after an hour, and `foreign` if it is not one of this person and address. */
export async function unseal<Purpose extends keyof Sealed>(
  sealing: Sealing,
  purpose: Purpose,
  sealed: string,
  visit: Visit,
): Promise<Sealed[Purpose] | 'expired' | 'foreign'> {
  const content = await sealing.open<Sealed[Purpose] & Origin>(purpose, sealed);
  if (content === null) return 'foreign';
  const { member, account, path, at } = toOrigin(visit);
  if (content.member !== member || content.account !== account || content.path !== path) return 'foreign';
  return at - content.at > goodForMs ? 'expired' : content;
}

function toOrigin({ session, path, now }: Visit): Origin {
  return { at: now.getTime(), member: session.member.id, account: session.account?.id ?? null, path };
}
