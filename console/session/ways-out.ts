import { ConnectionError } from '#client/src/index.ts';
import { ProblemError } from '#domain/problems.ts';
import type { Context } from '#http/context.ts';
import { readForm } from '../serving/forms.ts';
import { leadTo, toOwnAddress } from './own-address.ts';
import { SessionEnded } from './session.ts';
import { sendSignedOut } from './sign-in-pages.tsx';
import { GrantRefused } from './token-endpoint.ts';
import { toHolder } from './tokens.ts';
import { endSession, type Parts } from './ways-in.ts';

/** How sessions end, and how operators turn theirs to an account: by a token of ten minutes that names them. */

/** Ends the session at the API and in the browser. Without an answer of the API the session ends when it is idle. */
export async function signOut(ctx: Context, parts: Parts): Promise<void> {
  const kept = await parts.cookie.read(ctx);
  const isRevoked = kept === null || (await endSession(ctx, kept, parts));
  ctx.remove('Set-Cookie');
  parts.cookie.clear(ctx);
  // Not "cookies": that would clear those of every other host of the domain.
  ctx.set('Clear-Site-Data', '"cache", "storage"');
  await sendSignedOut(ctx, isRevoked);
}

/**
 * Turns an operator's session to the account that the form names, and leads to its first page.
 *
 * @throws {ProblemError} `insufficient_scope`, `not_found`, `service_unavailable`
 */
export async function readAccount(ctx: Context, { endpoint, tokens, cookie }: Parts): Promise<void> {
  const kept = await cookie.read(ctx);
  if (kept?.session.role !== 'operator') throw notAnOperator();
  const accountId = (await readForm(ctx)).get('account') ?? '';
  try {
    const holder = toHolder(ctx, kept);
    const { accessToken } = await tokens.current(holder);
    const { traceId } = ctx.state;
    const { account, scope } = await endpoint.takeForAccount(accessToken, accountId, holder.person, traceId);
    await cookie.turnTo(ctx, { account, scope });
  } catch (error) {
    throw toProblem(error);
  }
  leadTo(ctx, toOwnAddress('/'));
}

/**
 * Turns an operator's session back to the service.
 *
 * @throws {ProblemError} `insufficient_scope`
 */
export async function leaveAccount(ctx: Context, { cookie }: Parts): Promise<void> {
  if (!(await cookie.turnTo(ctx, null))) throw notAnOperator();
  leadTo(ctx, toOwnAddress('/service'));
}

function notAnOperator(): ProblemError {
  return new ProblemError('insufficient_scope', { detail: 'An operator who is signed in can do this.' });
}

function toProblem(error: unknown): unknown {
  if (error instanceof GrantRefused) return new ProblemError('not_found');
  if (error instanceof SessionEnded) return notAnOperator();
  return error instanceof ConnectionError ? new ProblemError('service_unavailable', { cause: error }) : error;
}
