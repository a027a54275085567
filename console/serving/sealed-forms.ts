import { randomUUID } from 'node:crypto';
import type { ApiCall, Preview } from '../action.ts';
import type { Visit } from '../page.ts';
import type { Sealing } from '../sealing.ts';

/** How long a preview may be sent, in milliseconds. The API keeps keys for 24 h at least: a repeat still finds its first. */
const goodForMs = 60 * 60 * 1_000;

const purpose = 'form';

/** What a preview has shown: the call with its key. It is bound to who saw it, and to where. */
export interface SealedForm {
  key: string;
  call: ApiCall;
  sentences: string[];
  submit: string;
}

interface Content extends SealedForm {
  /** Milliseconds since 1970. */
  at: number;
  member: string;
  account: string | null;
  path: string;
}

/** Gives a preview its Idempotency-Key, and seals what it shows: exactly that is sent. */
export async function sealForm(
  sealing: Sealing,
  { call, sentences, submit }: Preview,
  visit: Visit,
): Promise<{ form: SealedForm; sealed: string }> {
  const form = { key: randomUUID(), call: withBody(call), sentences, submit };
  const content: Content = { ...form, at: visit.now.getTime(), ...whoAndWhere(visit) };
  return { form, sealed: await sealing.seal(purpose, content) };
}

/** Returns the form; `expired` after an hour, and `foreign` if it is not one of this person and address. */
export async function openForm(
  sealing: Sealing,
  sealed: string,
  visit: Visit,
): Promise<SealedForm | 'expired' | 'foreign'> {
  const content = await sealing.open<Content>(purpose, sealed);
  if (content === null) return 'foreign';
  const { member, account, path } = whoAndWhere(visit);
  if (content.member !== member || content.account !== account || content.path !== path) return 'foreign';
  if (visit.now.getTime() - content.at > goodForMs) return 'expired';
  return content;
}

function whoAndWhere({ session, path }: Visit): Pick<Content, 'member' | 'account' | 'path'> {
  return { member: session.member.id, account: session.account?.id ?? null, path };
}

/** The API takes an empty object where a write says nothing. */
function withBody(call: ApiCall): ApiCall {
  return call.method === 'DELETE' ? call : { ...call, body: call.body ?? {} };
}
