import { z } from 'zod';
import { auditRetentionMs, listAuditEntries, type AuditEntry } from '#db/access/audit-entries.ts';
import { currentTimeMs } from '#db/clock.ts';
import { firstIdAt } from '#domain/ids.ts';
import type { ApiDeps } from '../http/deps.ts';
import { createPageSchema } from '../http/list-schemas.ts';
import { pageParameters } from '../http/pagination.ts';
import type { Route } from '../http/route.ts';
import { actorId, auditAddress, auditEntryId, memberId, traceId } from '../http/schemas.ts';
import { defineOperatorRead } from './operator-route.ts';
import * as schemas from './schemas.ts';

/** What people did, in all accounts and with the service. */

const entry = z
  .strictObject({
    id: auditEntryId,
    object: z.literal('operator_audit_entry'),
    created: schemas.timestamp.describe('When it was asked for.'),
    account: schemas.accountId.nullable().describe('The account that it is about; `null`: the service.'),
    actor: actorId
      .nullable()
      .describe('Who; `null`: an operator at the command line, who has a name alone, or nobody knows.'),
    name: z.string().nullable().describe('The name of the actor at the time.').meta({ example: 'Ana' }),
    kind: z.enum(['member', 'operator', 'client']).meta({
      id: 'AuditActorKind',
      description: 'Whether it is a member of an account, an operator, or a program of an account.',
    }),
    action: z.string().describe('Resources and a verb.').meta({ example: 'operator.sweeps.create' }),
    resource: z.string().nullable().describe('The id of what it made or acted on.'),
    trace_id: traceId,
    status: z
      .int()
      .min(100)
      .max(599)
      .nullable()
      .describe('Of the answer; `null`: under way, or its end was not seen.'),
    reason: z.string().nullable().describe('Why, in the words of the operator.'),
    address: auditAddress,
  })
  .meta({ id: 'OperatorAuditEntry', description: 'Something that a person did.' });

export function operatorAuditRoutes(deps: Pick<ApiDeps, 'db' | 'pages'>): Route[] {
  const { pages } = deps;
  return [
    defineOperatorRead({
      path: '/operator/audit-entries',
      operationId: 'listOperatorAuditEntries',
      summary: 'List what people did, in all accounts, newest first',
      description:
        'Writes of members and operators, sign-ins, and which accounts operators read. Kept for a year.',
      query: z.strictObject({
        ...pageParameters,
        ...schemas.accountFilter,
        actor: memberId.optional().describe('Only of this member or operator.'),
      }),
      responses: { 200: { description: 'A page of entries', schema: createPageSchema(entry) } },
      handle(request) {
        const { account: accountId = null, actor } = request.query;
        const from = firstIdAt('auditEntry', currentTimeMs() - auditRetentionMs);
        return pages.list(
          request,
          (page, db) => listAuditEntries(db, accountId, { actor, from }, page),
          present,
        );
      },
    }),
  ];
}

function present(row: AuditEntry): z.output<typeof entry> {
  return {
    id: row.id,
    object: 'operator_audit_entry',
    created: row.createdAt.toISOString(),
    account: row.accountId,
    actor: row.actorId,
    name: row.actorName,
    kind: row.actorKind,
    action: row.action,
    resource: row.resourceId,
    trace_id: row.traceId,
    status: row.status,
    reason: row.reason,
    address: row.address,
  };
}
