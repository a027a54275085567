import { z } from 'zod';
import { findResource, resourcePrefixes, type OwnedResource } from '#db/operator/resources.ts';
import type { RunReport } from '#temporal/client/operator.ts';
import type { ApiDeps } from '../http/deps.ts';
import { requireFound } from '../http/nouns.ts';
import type { Route } from '../http/route.ts';
import { defineOperatorRead } from './operator-route.ts';
import * as schemas from './schemas.ts';

/** Whose a resource is, and what its workflow waits for. */

/** How long Temporal may take to tell of a run, in milliseconds. */
const inspectWithinMs = 1_500;

const resourceId = z
  .string()
  .regex(/^(?:ch|re|op|we|wd|cus)_[0-9A-HJKMNP-TV-Z]{26}$/)
  .meta({
    id: 'ResourceId',
    description: `An id of any account that begins with ${resourcePrefixes.map((prefix) => `\`${prefix}_\``).join(', ')}.`,
    example: 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
  });

const pendingActivity = z
  .strictObject({
    type: z.string().describe('The name of the step.').meta({ example: 'resolveCharge' }),
    attempt: z.int().min(1).describe('How often it was begun.').meta({ example: 7 }),
    next_attempt: schemas.timestamp
      .nullable()
      .describe('When it begins again; `null`: it is under way, or due.'),
    last_failure: z.string().nullable().describe('Of the attempt before; `null`: there was none.'),
  })
  .meta({ id: 'PendingActivity', description: 'A step that a workflow waits for.' });

const run = z
  .strictObject({
    run: z.string().describe('The id of the run, as the Temporal UI shows it.'),
    type: z.string().describe('The type of the workflow.').meta({ example: 'charge' }),
    status: z.string().describe('As Temporal names it.').meta({ example: 'RUNNING' }),
    started: schemas.timestamp.describe('When the run began.'),
    ended: schemas.timestamp.nullable().describe('When the run ended; `null`: it runs.'),
    events: z.int().min(0).describe('Events in its history.').meta({ example: 24 }),
    pending: z.array(pendingActivity).max(1_000).describe('Steps that it waits for now.'),
  })
  .meta({ id: 'WorkflowRun', description: 'The newest run of a workflow.' });

const resource = z
  .strictObject({
    id: resourceId,
    object: z.literal('resource'),
    account: schemas.accountName,
    status: z.string().describe('Of the resource.').meta({ example: 'pending' }),
    workflow: schemas.workflow.nullable().describe('The id of its workflow; `null`: it never has one.'),
    run: run.nullable().describe('Its newest run; `null`: there is none, or Temporal did not say in time.'),
  })
  .meta({ id: 'OperatorResource', description: 'A resource of any account, with its workflow.' });

export function resourceRoutes(deps: Pick<ApiDeps, 'db' | 'temporal'>): Route[] {
  const { db } = deps;
  return [
    defineOperatorRead({
      path: '/operator/resources/{id}',
      operationId: 'getResource',
      summary: 'Read whose a resource is, and what its workflow waits for',
      description:
        'Finds charges, refunds, operations, webhook endpoints, deliveries and customers of any account.',
      params: z.object({ id: resourceId }),
      responses: { 200: { description: 'The resource', schema: resource } },
      async handle({ params: { id } }) {
        const found = requireFound(await findResource(db, id));
        const { workflowId } = found;
        const report =
          workflowId && (await deps.temporal.inspectRun(workflowId, performance.now() + inspectWithinMs));
        return { status: 200, body: present(found, report || null) };
      },
    }),
  ];
}

function present(found: OwnedResource, report: RunReport | null): z.output<typeof resource> {
  const { id, account, status, workflowId } = found;
  return { id, object: 'resource', account, status, workflow: workflowId, run: report && presentRun(report) };
}

function presentRun(report: RunReport): z.output<typeof run> {
  return {
    run: report.runId,
    type: report.workflowType,
    status: report.status,
    started: report.startedAt.toISOString(),
    ended: report.closedAt?.toISOString() ?? null,
    events: report.historyLength,
    pending: report.pending.map(({ type, attempt, nextAttemptAt, lastFailure }) => ({
      type,
      attempt,
      next_attempt: nextAttemptAt?.toISOString() ?? null,
      last_failure: lastFailure,
    })),
  };
}
