import type { z } from 'zod';
import { toAction } from '#domain/audit.ts';
import { isId } from '#domain/ids.ts';
import { ProblemError } from '#domain/problems.ts';
import type { Grant, TokenVerifier } from '#issuer/tokens.ts';
import { audited } from '../http/audit.ts';
import { authorize, verifyBearer } from '../http/authentication.ts';
import { parseMediaType } from '../http/media-types.ts';
import { noParameters } from '../http/query.ts';
import { listScopes, takesBody, type Access, type ArrivedRequest } from '../http/route.ts';
import { validateBody } from '../http/validation.ts';
import { refuseCardNumbers } from '../json/card-numbers.ts';
import { parseJson } from '../json/json.ts';
import { createHeadReader, type CallerRow } from './parts.ts';
import { admitStranger } from './strangers.ts';

/**
 * An operator has a token that names no account. Every write says why, and its entry in the audit is committed before
 * anything is done.
 */
export const serveOperator: CallerRow = (route, { db, tokens, load }) => {
  const readHead = createHeadReader(route);
  const action = toAction(route.method, route.path);
  return (visit) =>
    admitStranger('operator', { route, load }, visit, async (request) => {
      const operator = await authenticate(tokens, request, route.access);
      const head = readHead(visit.ctx, visit.params);
      const body = takesBody(route) ? parseBody(await request.readBody(), request, route.body) : undefined;
      const handle = () => route.handle({ ...head, operator, account: { id: 'operator' }, body });
      const { id = null } = head.params as { id?: string };
      const entry = {
        accountId: id !== null && isId('account', id) ? id : null,
        memberId: operator.memberId,
        action,
        resourceId: id,
        traceId: request.traceId,
        reason: (body as { reason: string } | undefined)?.reason ?? null,
      };
      const answer = takesBody(route)
        ? await audited(db, entry, handle, ({ status }) => ({ status }))
        : await handle();
      return { ...answer, headers: { 'Cache-Control': 'private, no-cache', ...answer.headers } };
    });
};

/**
 * Returns the grant of an operator's token.
 *
 * @throws {ProblemError} `insufficient_scope` for a token of an account, whatever its scopes are.
 */
async function authenticate(
  tokens: TokenVerifier,
  { headers, isSingle }: ArrivedRequest,
  access: Access | undefined,
): Promise<Grant> {
  const grant = await verifyBearer(tokens, headers['authorization'], isSingle('authorization'));
  const needed = listScopes(access);
  if (grant.accountId !== null) {
    const challenge = `Bearer realm="payments", error="insufficient_scope", scope="${needed.join(' ')}"`;
    throw new ProblemError('insufficient_scope', {
      detail: 'This is for operators of the service. The access token is of an account.',
      headers: { 'WWW-Authenticate': challenge },
    });
  }
  authorize({ grant }, needed);
  return grant;
}

function parseBody(bytes: Buffer, { headers }: ArrivedRequest, schema: z.ZodType = noParameters): unknown {
  if (bytes.length === 0) return validateBody(schema, {});
  if (parseMediaType(headers['content-type'] ?? '')?.type !== 'application/json')
    throw new ProblemError('unsupported_media_type', { detail: 'Send the body as application/json.' });
  const json = parseJson(bytes);
  refuseCardNumbers(json);
  return validateBody(schema, json);
}
