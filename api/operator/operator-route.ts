import { z } from 'zod';
import { toAction } from '#domain/audit.ts';
import { isId } from '#domain/ids.ts';
import { ProblemError, type ProblemCode } from '#domain/problems.ts';
import type { OperatorScope } from '#domain/scopes.ts';
import type { Grant, TokenVerifier } from '#issuer/tokens.ts';
import { audited } from '../http/audit.ts';
import { authorize, verifyBearer } from '../http/authentication.ts';
import { refuseCardNumbers } from '../json/card-numbers.ts';
import type { ApiDeps } from '../http/deps.ts';
import { parseIdempotencyKey } from '../http/headers.ts';
import { parseJson } from '../json/json.ts';
import { parseMediaType } from '../http/media-types.ts';
import { isPaged } from '../http/pagination.ts';
import { noParameters, parseQuery } from '../http/query.ts';
import type { RawRequest, RawRoute } from '../http/raw-route.ts';
import type { Answer } from '../http/route.ts';
import { validateBody } from '../http/validation.ts';

/** Routes of operators: over all accounts, for tokens that name none. They have no versions, and are in no SDK. */

/** A request of an operator, after authentication, authorization and parsing. */
export interface OperatorRequest<Params = unknown, Query = unknown, Body = unknown> {
  operator: Grant;
  /** Stands for the account in cursors. */
  account: { id: string };
  traceId: string;
  path: string;
  /** With its query. */
  url: string;
  params: Params;
  query: Query;
  body: Body;
  /** The valid key; empty where the route takes none. */
  idempotencyKey: string;
}

interface OperatorRoute<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> {
  method: 'GET' | 'POST';
  path: `/operator/${string}`;
  /** The scope that it needs. There is no default. */
  access: OperatorScope;
  operationId: string;
  summary: string;
  description: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** A write that starts work. */
  idempotencyKey?: 'required';
  responses: Record<number, { description: string; schema: z.ZodType }>;
  problems?: ProblemCode[];
  handle: (request: OperatorRequest<z.output<Params>, z.output<Query>, z.output<Body>>) => Promise<Answer>;
}

/** What every write of an operator tells. */
export const reason = z
  .string()
  .trim()
  .min(3)
  .max(500)
  .describe('Why, for the audit. No personal data.')
  .meta({ example: 'Ticket 4711: the processor says that it has decided.' });

export const reasonBody = z.strictObject({ reason }).meta({ id: 'OperatorReason' });

/** In bytes. */
const bodyLimit = 16 * 1024;

/** What every route of operators may answer, beside the problems of all routes outside `/v1`. */
const ofEach: readonly ProblemCode[] = [
  'invalid_parameter',
  'invalid_token',
  'insufficient_scope',
  'rate_limited',
];
const ofBodies: readonly ProblemCode[] = [
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'card_number_refused',
  'outcome_unknown',
];

/** Returns a route of operators as the router and the document take it. */
export function defineOperatorRoute<
  Params extends z.ZodType = z.ZodType<unknown>,
  Query extends z.ZodType = z.ZodType<unknown>,
  Body extends z.ZodType = z.ZodType<unknown>,
>(
  { tokens }: { tokens: TokenVerifier },
  { params, query, body, responses, handle, ...route }: OperatorRoute<Params, Query, Body>,
): RawRoute {
  const takesBody = route.method === 'POST';
  const described = Object.entries(responses).map(([status, response]) => [
    status,
    { ...response, types: ['application/json'], ...(query && isPaged(query) && { headers: ['Link'] }) },
  ]);
  return {
    ...route,
    tag: 'operators',
    isForOperators: true,
    callers: 'operators',
    ...(params && { params }),
    ...(query && { query }),
    ...(takesBody && { body: { type: 'application/json', schema: body ?? noParameters } }),
    responses: Object.fromEntries(described) as NonNullable<RawRoute['responses']>,
    problems: [
      ...ofEach,
      ...(params ? (['not_found'] as const) : []),
      ...(takesBody ? ofBodies : []),
      ...(route.idempotencyKey ? (['idempotency_key_required', 'idempotency_key_invalid'] as const) : []),
      ...(query && isPaged(query) ? (['invalid_cursor'] as const) : []),
      ...(route.problems ?? []),
    ],
    async handle(request) {
      const operator = await authenticate(tokens, request, route.access);
      const key = route.idempotencyKey ? readKey(request) : '';
      const parsed = {
        params: parseParams(params, request.params),
        query: parseQuery(query ?? noParameters, request.search.slice(1)) as z.output<Query>,
        body: (takesBody ? await readBody(request, body ?? noParameters) : undefined) as z.output<Body>,
      };
      const { traceId, path, search } = request;
      const asked = {
        operator,
        account: { id: 'operator' },
        traceId,
        path,
        url: path + search,
        idempotencyKey: key,
      };
      const answer = await handle({ ...asked, ...parsed });
      return { ...answer, headers: { 'Cache-Control': 'private, no-cache', ...answer.headers } };
    },
  };
}

/**
 * Returns the grant of an operator's token.
 *
 * @throws {ProblemError} `insufficient_scope` for a token of an account, whatever its scopes are.
 */
async function authenticate(
  tokens: TokenVerifier,
  request: RawRequest,
  needed: OperatorScope,
): Promise<Grant> {
  const grant = await verifyBearer(
    tokens,
    request.headers['authorization'],
    request.isSingle('authorization'),
  );
  if (grant.accountId !== null) {
    throw new ProblemError('insufficient_scope', {
      detail: 'This is for operators of the service. The access token is of an account.',
      headers: {
        'WWW-Authenticate': `Bearer realm="payments", error="insufficient_scope", scope="${needed}"`,
      },
    });
  }
  authorize({ grant }, [needed]);
  return grant;
}

function parseParams<Params extends z.ZodType>(
  schema: Params | undefined,
  params: Record<string, string>,
): z.output<Params> {
  const result = schema?.safeParse(params);
  if (result && !result.success) throw new ProblemError('not_found');
  return (result?.data ?? {}) as z.output<Params>;
}

function readKey({ headers }: RawRequest): string {
  const header = headers['idempotency-key'];
  if (header === undefined) throw new ProblemError('idempotency_key_required');
  return parseIdempotencyKey(header);
}

async function readBody(request: RawRequest, schema: z.ZodType): Promise<unknown> {
  const bytes = await request.readBody(bodyLimit);
  if (bytes.length === 0) return validateBody(schema, {});
  const type = parseMediaType(request.headers['content-type'] ?? '');
  if (type?.type !== 'application/json') {
    throw new ProblemError('unsupported_media_type', { detail: 'Send the body as application/json.' });
  }
  const json = parseJson(bytes);
  refuseCardNumbers(json);
  return validateBody(schema, json);
}

type WriteBody = z.ZodType<{ reason: string }>;

/** A write of an operator. Its body names a reason, which the audit keeps. */
type OperatorWrite<Params extends z.ZodType, Body extends WriteBody> = Omit<
  OperatorRoute<Params, z.ZodType<unknown>, Body>,
  'method' | 'access' | 'query' | 'body'
> & { body: Body };

/** Returns a route that changes something. Its entry in the audit is committed before anything is done. */
export function defineOperatorWrite<Params extends z.ZodType, Body extends WriteBody>(
  deps: Pick<ApiDeps, 'db' | 'tokens'>,
  { handle, ...route }: OperatorWrite<Params, Body>,
): RawRoute {
  const action = toAction('POST', route.path);
  return defineOperatorRoute<Params, z.ZodType<unknown>, Body>(deps, {
    ...route,
    method: 'POST',
    access: 'operator:write',
    handle(request) {
      const { operator, traceId, params, body } = request;
      const { id = null } = params as { id?: string };
      const accountId = id !== null && isId('account', id) ? id : null;
      const entry = {
        accountId,
        memberId: operator.memberId,
        action,
        resourceId: id,
        traceId,
        reason: body.reason,
      };
      return audited(
        deps.db,
        entry,
        () => handle(request),
        ({ status }) => ({ status }),
      );
    },
  });
}
