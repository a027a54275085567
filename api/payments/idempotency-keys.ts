import { z } from 'zod';
import { findKeyUses } from '#db/writes/idempotency-keys.ts';
import { presentIdempotencyKey } from '#domain/idempotency-keys.ts';
import { ProblemError } from '#domain/problems.ts';
import type { ApiDeps } from '../http/deps.ts';
import { parseIdempotencyKey } from '../http/headers.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { timestamp } from '../http/schemas.ts';

const use = z
  .strictObject({
    endpoint: z.string().describe('Method and route template.').meta({ example: 'POST /v1/charges' }),
    status: z
      .enum(['in_progress', 'done'])
      .meta({ id: 'IdempotencyKeyStatus', description: 'Whether the key has its answer.' }),
    since: timestamp.describe('When the request came first.'),
    until: timestamp.describe(
      'The key is kept until then at least. The time counts from the answer and from the end of the resource: while either is to come, it counts from now.',
    ),
    resource: z.string().nullable().meta({
      description:
        'The path of the resource that the request created or changed; `null` if there is none, or none yet.',
      example: '/v1/charges/ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
    }),
  })
  .meta({ id: 'IdempotencyKeyUse' });

const idempotencyKeyResource = z
  .strictObject({
    object: z.literal('idempotency_key'),
    key: z
      .string()
      .describe('The key, without quotes.')
      .meta({ example: '5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77' }),
    uses: z.array(use).describe('One for each endpoint, oldest first.'),
  })
  .meta({ id: 'IdempotencyKey' });

/** The uses of a key, for a caller who lost the answer and does not want to send the request again. */
export function idempotencyKeyRoutes({ db, config }: Pick<ApiDeps, 'db' | 'config'>): Route[] {
  const read = defineRoute({
    method: 'GET',
    path: '/v1/idempotency-keys/{key}',
    access: 'any-token',
    summary: 'Read the uses of an Idempotency-Key',
    description:
      'For a caller that lost an answer and does not want to send the request again. A key can be used once for each endpoint. It is kept for as long as its resource may still change, and for 24 hours after its answer and after the end of its resource.',
    params: z.object({ key: z.string().describe('As in the header, percent-encoded.') }),
    responses: { 200: { description: 'Its uses', schema: idempotencyKeyResource } },
    problems: ['idempotency_key_invalid', 'not_found'],
    async handle({ account, params }) {
      const key = parseIdempotencyKey(params.key);
      const uses = await findKeyUses(db, account.id, key, config.idempotencyRetentionMs);
      if (uses.length === 0) throw new ProblemError('not_found');
      return { status: 200, body: presentIdempotencyKey(key, uses) };
    },
  });
  return [read];
}
