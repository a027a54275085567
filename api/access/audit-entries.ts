import { z } from 'zod';
import { auditRetentionMs, listAuditEntries, type AuditEntry } from '#db/access/audit-entries.ts';
import type { ApiDeps } from '../http/deps.ts';
import { listParameters, searchedPages, toShown } from '../http/list-schemas.ts';
import { defineList } from '../http/nouns.ts';
import type { Route } from '../http/route.ts';
import { actorId, auditAddress, auditEntryId, timestamp, traceId } from '../http/schemas.ts';

/** What was done in the account, and by whom. What programs were refused is in the log of requests alone. */

const actor = z
  .strictObject({
    kind: z.enum(['member', 'operator', 'client']).meta({
      id: 'ActorKind',
      description: '`operator`: of those who run the service. `client`: a program of the account.',
    }),
    id: actorId
      .nullable()
      .describe(
        'Of the member or the client; `null` for an operator at the command line, who has a name alone.',
      ),
    name: z.string().nullable().describe('The name at the time.').meta({ example: 'Ana' }),
  })
  .meta({ id: 'Actor', description: 'Who did it' });

const action = z
  .string()
  .min(1)
  .max(100)
  .describe('What was asked for: resources and a verb.')
  .meta({ example: 'refunds.create' });

const resourceFilter = z
  .array(z.string().regex(/^[a-z]{2,4}_[0-9A-HJKMNP-TV-Z]{26}$/, 'must be an id'))
  .max(100)
  .meta({
    description:
      'Only what acted on this resource. Repeat it for several ones, as in `resource=re_…&resource=re_…`.',
    example: ['re_01JF3Z9B6W8X1M4H7S2Q5D0E9G'],
  });

const auditEntryResource = z
  .strictObject({
    id: auditEntryId,
    object: z.literal('audit_entry'),
    created: timestamp.describe('When it was asked for.'),
    actor: actor.nullable().describe('`null` if nobody knows, as of a sign-in that failed.'),
    action,
    resource: z
      .string()
      .nullable()
      .describe('The id of what it made or acted on.')
      .meta({ example: 're_01JF3Z9B6W8X1M4H7S2Q5D0E9G' }),
    trace_id: traceId,
    status: z
      .int()
      .min(100)
      .max(599)
      .nullable()
      .describe('Of the answer; `null` while it is under way, or if its end was not seen.')
      .meta({ example: 201 }),
    replayed: z.boolean().describe('Whether the answer was that of an earlier request with its key.'),
    reason: z.string().nullable().describe('Why, in the words of an operator.'),
    address: auditAddress,
  })
  .meta({ id: 'AuditEntry', description: 'Something that a person or a program did' });

export function auditEntryRoutes(deps: Pick<ApiDeps, 'pages'>): Route[] {
  const noun = {
    kind: 'auditEntry',
    name: 'entry',
    collection: 'audit-entries',
    access: 'access:read',
    schema: auditEntryResource,
    present: presentAuditEntry,
  } as const;
  const list = defineList(deps, noun, {
    summary: 'List what was done in the account, newest first',
    description: `Writes of members, refused ones too, their sign-ins, writes of clients, and what operators of the service did and
read. The entry of a change is made with the change, in one transaction, so none is missing. Charges that clients make are
not in it: they name their client in the log of requests. Entries are kept for a year, and can be exported. ${searchedPages}`,
    query: z.strictObject({
      ...listParameters,
      actor: actorId.optional().describe('Only of this member, operator or client.'),
      action: action.optional().describe('Only this action, such as `refunds.create`.'),
      resource: resourceFilter.optional(),
    }),
    plural: 'entries',
    find(db, { account, query: { actor: who, action: what, resource } }, range, page) {
      const resources = resource && [...new Set(resource)];
      const shown = toShown('auditEntry', range, auditRetentionMs);
      return listAuditEntries(db, account.id, { ...shown, actor: who, action: what, resources }, page);
    },
  });
  return [list];
}

function presentAuditEntry(entry: AuditEntry): z.output<typeof auditEntryResource> {
  return {
    id: entry.id,
    object: 'audit_entry',
    created: entry.createdAt.toISOString(),
    actor:
      entry.actorId === null && entry.actorName === null
        ? null
        : { kind: entry.actorKind, id: entry.actorId, name: entry.actorName },
    action: entry.action,
    resource: entry.resourceId,
    trace_id: entry.traceId,
    status: entry.status,
    replayed: entry.isReplayed,
    reason: entry.reason,
    address: entry.address,
  };
}
