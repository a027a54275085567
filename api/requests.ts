import { z } from 'zod';
import { findRequests, listRequests, requestRetentionMs, type LoggedRequest } from '#db/access/requests.ts';
import { ProblemError } from '#domain/problems.ts';
import type { ApiDeps } from './http/deps.ts';
import { findOldestShown, listParameters, searchedPages, toShown } from './http/list-schemas.ts';
import { defineList } from './http/nouns.ts';
import { problemCode } from './http/problem-schema.ts';
import { defineRoute, type Route } from './http/route.ts';
import { clientId, memberId, requestId, timestamp, traceId } from './http/schemas.ts';

/** The log of requests: what became of a trace id, for callers who were refused or lost an answer. */

const requestError = z
  .strictObject({
    pointer: z.string().describe('RFC 6901, into the body.').meta({ example: '/amount' }),
    code: z.string().describe('Says what is wrong with the member.').meta({ example: 'too_small' }),
  })
  .meta({ id: 'RequestError', description: 'A member of a body that was wrong' });

const requestResource = z
  .strictObject({
    id: requestId,
    object: z.literal('request'),
    trace_id: traceId,
    method: z.string().describe('The method of the request.').meta({ example: 'POST' }),
    route: z.string().describe('The template of its path.').meta({ example: '/v1/charges' }),
    path: z
      .string()
      .describe('Its path without the query. A part that is no id of ours reads as in `route`.')
      .meta({ example: '/v1/charges' }),
    resource: z
      .string()
      .nullable()
      .describe('The id of what it made, or of what its path names.')
      .meta({ example: 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D' }),
    status: z
      .int()
      .min(100)
      .max(599)
      .describe('Of the answer. 499: the caller had gone.')
      .meta({ example: 402 }),
    code: z
      .string()
      .nullable()
      .describe('The code of the problem; `null` without one.')
      .meta({ example: 'card_declined' }),
    errors: z
      .array(requestError)
      .max(10)
      .describe(
        'The members of its body that were wrong, at most 10. Never a value; a name that you made up reads as `*`.',
      ),
    idempotency_key: z
      .string()
      .nullable()
      .describe('The beginning of the key that it carried, and `…`; `null` without one.')
      .meta({ example: 'order…' }),
    replayed: z.boolean().describe('Whether the answer was that of an earlier request with the key.'),
    client: clientId,
    member: memberId
      .nullable()
      .describe('The id of the person who asked, through the console; `null` for a program.')
      .meta({ example: null }),
    duration_ms: z.number().min(0).describe('From its head to its answer.').meta({ example: 41.2 }),
    count: z
      .int()
      .min(1)
      .describe(
        'How many requests it stands for: itself, and others within a minute that were refused alike.',
      )
      .meta({ example: 1 }),
    created: timestamp.describe('When it was answered.'),
  })
  .meta({ id: 'Request' });

const requestTrace = z
  .strictObject({
    object: z.literal('request_trace'),
    trace_id: traceId,
    requests: z.array(requestResource).describe('Oldest first, at most 100.'),
  })
  .meta({ id: 'RequestTrace' });

const whatIsLogged = `Writes, and reads that were refused, of the last 7 days. They appear about a second after their answer.
Those of the last second before a crash may be missing. Of requests that were refused alike, 50 at once and one in two
seconds are shown each; the others read as one request a minute with their \`count\`. No body, query or header is kept.`;

/** Each is exact. A key and a code have an index; the others are looked for in a bounded number of rows. */
const requestFilter = {
  idempotency_key: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be a key')
    .optional()
    .describe('Only requests with this Idempotency-Key: the whole key, without quotes.')
    .meta({ example: 'order-6735' }),
  code: problemCode
    .optional()
    .describe('Only requests that were refused with this code.')
    .meta({ example: 'card_declined' }),
  status: z
    .string()
    .regex(/^[1-5]\d\d$/, 'must be a status such as 402')
    .optional()
    .describe('Only requests with this status.')
    .meta({ type: 'integer', pattern: undefined, minimum: 100, maximum: 599, example: 402 }),
  route: z
    .string()
    .max(200)
    .optional()
    .describe('Only requests to this route: the template of its path.')
    .meta({ example: '/v1/charges' }),
  client: clientId.optional().describe('Only requests of this client.'),
};

/** A trace has as many requests as its caller likes. */
const mostOfTrace = 100;

export function requestRoutes({ db, pages }: Pick<ApiDeps, 'db' | 'pages'>): Route[] {
  const noun = {
    kind: 'request',
    name: 'request',
    collection: 'requests',
    access: 'requests:read',
    schema: requestResource,
    present: presentRequest,
  } as const;
  const list = defineList({ pages }, noun, {
    summary: 'List the requests of the account, newest first',
    description: `${whatIsLogged}

${searchedPages}`,
    query: z.strictObject({ ...listParameters, ...requestFilter }),
    find(lists, { account, query }, range, page) {
      const filter = {
        idempotencyKey: query.idempotency_key,
        code: query.code,
        status: query.status === undefined ? undefined : Number(query.status),
        route: query.route,
        clientId: query.client,
      };
      return listRequests(lists, account.id, filter, toShown('request', range, requestRetentionMs), page);
    },
  });

  const read = defineRoute({
    method: 'GET',
    path: '/v1/requests/{trace_id}',
    access: 'requests:read',
    summary: 'Read what a trace id did: the requests that were made with it',
    description: `${whatIsLogged} Requests that name the same trace in \`traceparent\` are shown together.`,
    params: z.object({ trace_id: traceId }),
    responses: { 200: { description: 'The requests of the trace', schema: requestTrace } },
    problems: ['not_found'],
    async handle({ account, params: { trace_id } }) {
      const range = { from: findOldestShown('request', requestRetentionMs), limit: mostOfTrace };
      const found = await findRequests(db, account.id, trace_id, range);
      if (found.length === 0) throw new ProblemError('not_found');
      return {
        status: 200,
        body: { object: 'request_trace', trace_id, requests: found.map(presentRequest) },
      };
    },
  });

  return [list, read];
}

function presentRequest(request: LoggedRequest): z.output<typeof requestResource> {
  const { route, resourceId } = request;
  return {
    id: request.id,
    object: 'request',
    trace_id: request.traceId,
    method: request.method,
    route,
    path: resourceId === null ? route : route.replace('{id}', resourceId),
    resource: resourceId,
    status: request.status,
    code: request.code,
    errors: [...(request.errors ?? [])],
    idempotency_key: request.idempotencyKey,
    replayed: request.isReplayed,
    client: request.clientId,
    member: request.memberId,
    duration_ms: request.durationMs,
    count: request.count,
    created: request.createdAt.toISOString(),
  };
}
