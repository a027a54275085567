import { randomUUID } from 'node:crypto';
import type { ApiCall, Preview } from '../action.ts';
import type { Visit } from '../page.ts';
import type { Sealing } from '../sealing.ts';

/** How long a preview may be sent, in milliseconds. The API keeps keys for 24 h at least: a repeat still finds its first. */
const goodForMs = 60 * 60 * 1_000;

const purposes = { draft: 'draft', form: 'form' } as const;

/** The key of a form whose preview has not been asked for yet. */
interface Draft {
  key: string;
}

/** What a preview has shown: the call with its key. It is bound to who saw it, and to where. */
export interface SealedForm {
  key: string;
  call: ApiCall;
  sentences: string[];
  submit: string;
}

interface Origin {
  /** Milliseconds since 1970. */
  at: number;
  member: string;
  account: string | null;
  path: string;
}

/**
 * Gives a form its Idempotency-Key, before anything is typed. So a preview that the browser asks for a second time, as it
 * does when its person goes back, has the key of the first.
 */
export function sealDraft(sealing: Sealing, visit: Visit): Promise<string> {
  return sealing.seal(purposes.draft, { key: randomUUID(), ...toOrigin(visit) });
}

/** Returns the key; `expired` and `foreign` as {@link openForm}. */
export function openDraft(sealing: Sealing, sealed: string, visit: Visit): Promise<Draft | Refusal> {
  return open<Draft>(sealing, purposes.draft, sealed, visit);
}

/**
 * Seals what a preview shows: exactly that is sent.
 *
 * @param key the Idempotency-Key of the form. (Default: a new one)
 */
export async function sealForm(
  sealing: Sealing,
  { call, sentences, submit }: Preview,
  visit: Visit,
  key: string = randomUUID(),
): Promise<{ form: SealedForm; sealed: string }> {
  const form = { key, call: withBody(call), sentences, submit };
  return { form, sealed: await sealing.seal(purposes.form, { ...form, ...toOrigin(visit) }) };
}

/** Why a form cannot be sent: it is too old, or not one of this person and address. */
type Refusal = 'expired' | 'foreign';

/** Returns the form; `expired` after an hour, and `foreign` if it is not one of this person and address. */
export function openForm(sealing: Sealing, sealed: string, visit: Visit): Promise<SealedForm | Refusal> {
  return open<SealedForm>(sealing, purposes.form, sealed, visit);
}

async function open<Content>(
  sealing: Sealing,
  purpose: string,
  sealed: string,
  visit: Visit,
): Promise<Content | Refusal> {
  const content = await sealing.open<Content & Origin>(purpose, sealed);
  if (content === null) return 'foreign';
  const { member, account, path } = toOrigin(visit);
  if (content.member !== member || content.account !== account || content.path !== path) return 'foreign';
  if (visit.now.getTime() - content.at > goodForMs) return 'expired';
  return content;
}

function toOrigin({ session, path, now }: Visit): Origin {
  return { at: now.getTime(), member: session.member.id, account: session.account?.id ?? null, path };
}

/** The API takes an empty object where a write says nothing. */
function withBody(call: ApiCall): ApiCall {
  return call.method === 'DELETE' ? call : { ...call, body: call.body ?? {} };
}
