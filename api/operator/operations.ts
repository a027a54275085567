import { z } from 'zod';
import { currentTimeMs } from '#db/clock.ts';
import { listOpenOperations, type OpenOperationRow } from '#db/operator/operations.ts';
import { firstIdAt } from '#domain/ids.ts';
import { operationTypes } from '#domain/operations/operation-kinds.ts';
import type { ApiDeps } from '../http/deps.ts';
import { createPageSchema } from '../http/list-schemas.ts';
import { pageParameters } from '../http/pagination.ts';
import type { Route } from '../http/route.ts';
import { defineOperatorRead } from './operator-route.ts';
import * as schemas from './schemas.ts';

/** Open operations of all accounts, and what is odd about them. */

/** Milliseconds after which an operation is odd. It tells its progress every 400 ms, and a cancel takes a second. */
export const oddAfter = { running: 2 * 60_000, cancelling: 30_000, long: 60 * 60_000, waiting: 10 * 60_000 };

const concerns = ['stuck', 'long', 'waiting'] as const;

const openOperation = z
  .strictObject({
    id: schemas.operationId,
    object: z.literal('open_operation'),
    account: schemas.accountName,
    type: z
      .enum(operationTypes)
      .meta({ id: 'OpenOperationType', description: 'What it does.', example: 'export' }),
    status: z
      .enum(['queued', 'running', 'cancelling'])
      .meta({ id: 'OpenOperationStatus', description: 'How far it is.' }),
    concern: z
      .enum(concerns)
      .meta({
        id: 'OpenOperationConcern',
        description: `\`stuck\`: no progress for 2 minutes, or a cancel for 30 s. \`long\`: it has run for an hour.
\`waiting\`: it has waited for 10 minutes for a slot. \`null\`: nothing is odd.`,
      })
      .nullable(),
    completed: z.int().min(0).describe('Rows that are done.').meta({ example: 1200 }),
    total: z.int().min(0).nullable().describe('Rows in all; `null` while it is not known.'),
    workflow: schemas.workflow,
    created: schemas.timestamp.describe('When it was submitted.'),
    started: schemas.timestamp.nullable().describe('When it began; `null`: it waits.'),
    progressed: schemas.timestamp.describe('When it last told its progress.'),
  })
  .meta({ id: 'OpenOperation' });

export function operatorOperationRoutes(deps: Pick<ApiDeps, 'db' | 'pages'>): Route[] {
  const { pages } = deps;
  return [
    defineOperatorRead({
      path: '/operator/operations',
      operationId: 'listOpenOperations',
      summary: 'List open operations of all accounts, oldest first',
      description: 'Exports, charge batches and replays that are not done. `concern` says which are stuck.',
      query: z.strictObject({
        ...pageParameters,
        ...schemas.accountFilter,
        older_than: schemas.olderThan(0),
      }),
      responses: { 200: { description: 'A page of them', schema: createPageSchema(openOperation) } },
      handle(request) {
        const { account: accountId, older_than } = request.query;
        const now = currentTimeMs();
        // An id that is made in this millisecond is included.
        const before = firstIdAt('operation', now - Number(older_than) * 1_000 + 1);
        return pages.list(
          request,
          (page, db) => listOpenOperations(db, { accountId, before }, page),
          (row) => present(row, now),
        );
      },
    }),
  ];
}

function present(row: OpenOperationRow, now: number): z.output<typeof openOperation> {
  const { id, account, type, status, completed, total, workflowId } = row;
  return {
    id,
    object: 'open_operation',
    account,
    type,
    status: status as 'running',
    concern: findConcern(row, now),
    completed,
    total,
    workflow: workflowId,
    created: row.createdAt.toISOString(),
    started: row.startedAt?.toISOString() ?? null,
    progressed: row.updatedAt.toISOString(),
  };
}

function findConcern(row: OpenOperationRow, now: number): (typeof concerns)[number] | null {
  const since = (at: Date | null) => (at ? now - at.getTime() : 0);
  if (row.status === 'cancelling') return since(row.cancelRequestedAt) > oddAfter.cancelling ? 'stuck' : null;
  if (row.status === 'queued') return since(row.createdAt) > oddAfter.waiting ? 'waiting' : null;
  if (since(row.updatedAt) > oddAfter.running) return 'stuck';
  return since(row.startedAt) > oddAfter.long ? 'long' : null;
}
