import { ConnectionError } from '#client/src/index.ts';
import { ProblemError } from '#domain/problems.ts';
import type { Context } from '#http/context.ts';
import { readForm } from '../serving/forms.ts';
import type { SessionCookie } from './cookie.ts';
import { leadTo, toOwnAddress } from './own-address.ts';
import { SessionEnded } from './session.ts';
import { GrantRefused, type TokenEndpoint } from './token-endpoint.ts';
import { toHolder, type AccessTokens } from './tokens.ts';

/** Operators read one account at a time, by a token of ten minutes that names them. The audit of the account tells so. */

interface Parts {
  endpoint: TokenEndpoint;
  tokens: AccessTokens;
  cookie: SessionCookie;
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
export async function leaveAccount(ctx: Context, { cookie }: Pick<Parts, 'cookie'>): Promise<void> {
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
