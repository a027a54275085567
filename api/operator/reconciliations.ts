import { z } from 'zod';
import { newId } from '#db/new-id.ts';
import {
  askReconciliation,
  findReconciliation,
  listDifferences,
  listReconciliations,
  type FoundDifference,
  type ReconciliationRecord,
} from '#db/operator/reconciliations.ts';
import { differenceCodes } from '#domain/reconciliation.ts';
import { askedRuns, type ReconciliationInput } from '#temporal/maintenance.ts';
import type { ApiDeps } from '../http/deps.ts';
import { createPageSchema } from '../http/list-schemas.ts';
import { requireFound } from '../http/nouns.ts';
import { pageParameters } from '../http/pagination.ts';
import type { Route } from '../http/route.ts';
import { reconciliationId } from '../http/schemas.ts';
import { defineOperatorRead, defineOperatorWrite, reason } from './operator-route.ts';
import * as schemas from './schemas.ts';
import { requireDone, temporalWithinMs } from './temporal-calls.ts';

/** The runs of reconciliation, and their differences. */

/** The differences of a run at most: 10,000 rows with three each, and 10,000 of keys without a row. */
const mostDifferences = 50_000;

const count = (words: string) =>
  z.int().min(0).nullable().describe(`${words} \`null\`: it has not ended well.`);

export const reconciliation = z
  .strictObject({
    id: reconciliationId,
    object: z.literal('reconciliation'),
    status: z.enum(['queued', 'running', 'succeeded', 'failed']).meta({
      id: 'ReconciliationStatus',
      description:
        '`failed`: no ledger could be read, or the run broke off. It may be tried again by itself.',
    }),
    repair: z.boolean().describe('Whether rows that are behind are repaired, which moves no money.'),
    requested_by: z
      .string()
      .nullable()
      .describe('The operator, the client or the command that asked for it; `null`: it ran by its schedule.')
      .meta({ example: 'npm run reconcile' }),
    differences: count('How many differences it found.'),
    repaired: count('How many of them it repaired.'),
    charges_compared: count('Charges that it compared.'),
    refunds_compared: count('Refunds that it compared.'),
    movements_read: count('Movements of money that it read anew in the ledgers.'),
    unread: z.array(z.string()).max(1_000).describe('Processors whose ledger it could not read.'),
    complete: z
      .boolean()
      .nullable()
      .describe(
        'Whether it examined each possible difference. `false`: there were more than 10,000 of a kind, and another run ' +
          'examines what is left once these are settled. `null`: it has not ended well.',
      ),
    unexamined: count('How many possible differences it left to another run.'),
    created: schemas.timestamp.describe('When it was asked for, or began.'),
    started: schemas.timestamp.nullable().describe('When it began; `null`: it waits.'),
    ended: schemas.timestamp.nullable().describe('When it ended; `null`: it has not.'),
  })
  .meta({ id: 'Reconciliation' });

const difference = z
  .strictObject({
    object: z.literal('reconciliation_difference'),
    number: z
      .int()
      .min(1)
      .max(mostDifferences)
      .describe('In the order in which they were found.')
      .meta({ example: 1 }),
    code: z.enum(differenceCodes).meta({
      id: 'ReconciliationDifferenceCode',
      description: 'What differs. docs/operations.md says what to do about each.',
      example: 'captured_twice',
    }),
    resource: schemas.paymentId.describe('The charge or the refund, which may have no row.'),
    detail: z.string().describe('What the row and the ledger hold.'),
    repaired: z.boolean().describe('Whether its workflow was told to look again.'),
    account: schemas.accountName.nullable().describe('Whose it is; `null`: there is no row.'),
    amount: schemas.amount.nullable().describe('Of the row, in minor units; `null`: there is none.'),
    currency: schemas.currency.nullable().describe('ISO 4217; `null`: there is no row.'),
    workflow: schemas.workflow.nullable().describe('The id of its workflow; `null`: there is no row.'),
  })
  .meta({ id: 'ReconciliationDifference' });

const params = z.object({ id: reconciliationId });

type RouteDeps = Pick<ApiDeps, 'db' | 'pages' | 'temporal'>;

export function reconciliationRoutes(deps: RouteDeps): Route[] {
  const { db, pages } = deps;

  const list = defineOperatorRead({
    path: '/operator/reconciliations',
    operationId: 'listReconciliations',
    summary: 'List the runs of reconciliation, newest first',
    description:
      'One runs each day, others when an operator asks or runs `npm run reconcile`. They are kept for 90 days.',
    query: z.strictObject({ ...pageParameters }),
    responses: { 200: { description: 'A page of runs', schema: createPageSchema(reconciliation) } },
    handle: (request) =>
      pages.list(request, (page, db) => listReconciliations(db, page), presentReconciliation),
  });

  const read = defineOperatorRead({
    path: '/operator/reconciliations/{id}',
    operationId: 'getReconciliation',
    summary: 'Read a run of reconciliation and its counts',
    description: 'Poll it until it has ended. Its differences are a list of their own.',
    params,
    responses: { 200: { description: 'The run', schema: reconciliation } },
    async handle({ params: { id } }) {
      return { status: 200, body: presentReconciliation(requireFound(await findReconciliation(db, id))) };
    },
  });

  return [list, read, differencesRoute(deps), creationRoute(deps)];
}

function differencesRoute(deps: RouteDeps): Route {
  const { db, pages } = deps;
  return defineOperatorRead({
    path: '/operator/reconciliations/{id}/differences',
    operationId: 'listReconciliationDifferences',
    summary: 'List the differences that a run found, in its order',
    description: '`repaired=false` shows those that need a person.',
    params,
    query: z.strictObject({
      ...pageParameters,
      repaired: z.enum(['true', 'false']).optional().meta({
        id: 'RepairedFilter',
        description: 'Only those that were repaired, or that were not.',
      }),
    }),
    responses: { 200: { description: 'A page of differences', schema: createPageSchema(difference) } },
    async handle(request) {
      const { id } = request.params;
      const { repaired } = request.query;
      requireFound(await findReconciliation(db, id));
      const filter = {
        reconciliationId: id,
        isRepaired: repaired === undefined ? undefined : repaired === 'true',
      };
      return pages.list(
        request,
        (page, lists) => listDifferences(lists, filter, page),
        presentDifference,
        (row) => String(row.position),
      );
    },
  });
}

function creationRoute(deps: RouteDeps): Route {
  return defineOperatorWrite({
    path: '/operator/reconciliations',
    operationId: 'createReconciliation',
    summary: 'Compare all rows with the ledgers and the workflows now',
    description:
      'With `repair`, the workflows of rows that are behind look again, which moves no money. It takes minutes with millions of rows.',
    idempotencyKey: 'required',
    body: z
      .strictObject({
        reason,
        repair: z.boolean().describe('Whether rows that are behind are repaired.').meta({ example: false }),
      })
      .meta({ id: 'NewReconciliation' }),
    responses: { 202: { description: 'It runs; read it until it has ended', schema: reconciliation } },
    async handle({ operator, idempotencyKey, body: { repair } }) {
      const asked = {
        id: newId('reconciliation'),
        requestedBy: operator.memberId ?? operator.clientId,
        idempotencyKey: idempotencyKey!,
        repair,
      };
      const run = await askReconciliation(deps.db, asked);
      if (run.status === 'queued') await start(deps, run);
      return {
        status: 202,
        headers: { Location: `/operator/reconciliations/${run.id}` },
        body: presentReconciliation(run),
      };
    },
  });
}

/** Starts the workflow of a run that is asked for, or finds it running. */
async function start(
  { temporal }: Pick<ApiDeps, 'temporal'>,
  { id, repair }: ReconciliationRecord,
): Promise<void> {
  const input: ReconciliationInput = { reconciliationId: id, repair };
  const workflow = { workflow: 'reconcile', workflowId: askedRuns.reconcile(id), input } as const;
  await requireDone(temporal.startMaintenance(workflow, performance.now() + temporalWithinMs));
}

/** Returns a run as it goes over the wire. */
export function presentReconciliation(run: ReconciliationRecord): z.output<typeof reconciliation> {
  const { id, status, repair, differences, repaired, unread, complete, unexamined } = run;
  return {
    id,
    object: 'reconciliation',
    status,
    repair,
    requested_by: run.requestedBy,
    differences,
    repaired,
    charges_compared: run.chargesCompared,
    refunds_compared: run.refundsCompared,
    movements_read: run.movementsRead,
    unread,
    complete,
    unexamined,
    created: run.createdAt.toISOString(),
    started: run.startedAt?.toISOString() ?? null,
    ended: run.endedAt?.toISOString() ?? null,
  };
}

function presentDifference(row: FoundDifference): z.output<typeof difference> {
  const { position, code, resourceId, detail, repaired, account, amount, currency, workflowId } = row;
  return {
    object: 'reconciliation_difference',
    number: position,
    code,
    resource: resourceId,
    detail,
    repaired,
    account,
    amount,
    currency,
    workflow: workflowId,
  };
}
