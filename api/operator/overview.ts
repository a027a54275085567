import { z } from 'zod';
import { countAccounts } from '#db/access/accounts.ts';
import { currentTimeMs } from '#db/clock.ts';
import { countOpenOperations } from '#db/operator/operations.ts';
import { findReconciliation } from '#db/operator/reconciliations.ts';
import { countUnknownOutcomes, type Backlog } from '#db/operator/unknown-outcomes.ts';
import { countDeadLetters, countFailingEndpoints } from '#db/operator/webhooks.ts';
import { firstIdAt } from '#domain/ids.ts';
import type { ApiDeps } from '../http/deps.ts';
import type { Route } from '../http/route.ts';
import { defineOperatorRead } from './operator-route.ts';
import { readAnswers } from './figures.ts';
import { oddAfter } from './operations.ts';
import { longestUnknownMs } from './what-happens-next.ts';
import { presentReconciliation, reconciliation } from './reconciliations.ts';
import * as schemas from './schemas.ts';
import { underWaySeconds } from './unknown-outcomes.ts';

/** The service in one answer: what needs a person, what mends itself, and when each check last ran. */

/** The largest count. */
const most = 10_000;

/** How long Temporal may take to tell of the last runs, in milliseconds. */
const askWithinMs = 1_500;

const count = z.int().min(0).max(most).describe(`How many there are, up to ${most}.`).meta({ example: 5 });

const backlog = z
  .strictObject({
    count,
    oldest: schemas.timestamp
      .nullable()
      .describe('Since when the oldest of them is so; `null`: there is none.'),
  })
  .meta({ id: 'Backlog' });

const check = z
  .strictObject({
    ended: schemas.timestamp.describe('When its last run ended.'),
    complete: z.boolean().describe('Whether that run did all of its work.'),
    workflow: schemas.workflow,
  })
  .meta({ id: 'MaintenanceCheck', description: 'The last run of a kind of maintenance.' });

const overview = z
  .strictObject({
    object: z.literal('operator_overview'),
    needs_person: z
      .strictObject({
        differences: z
          .int()
          .min(0)
          .describe('Differences of the last reconciliation that were not repaired.')
          .meta({ example: 1 }),
        undecided: backlog.describe('Charges and refunds of unknown outcome for more than 10 minutes.'),
        stuck_operations: backlog.describe(
          'Operations without progress for 2 minutes, or a cancel for 30 s.',
        ),
      })
      .meta({ id: 'NeedsPerson', description: 'What does not end by itself.' }),
    mends_itself: z
      .strictObject({
        unknown_charges: backlog.describe('Charges of unknown outcome.'),
        unknown_refunds: backlog.describe('Refunds of unknown outcome.'),
        failing_endpoints: backlog.describe('Webhook endpoints that fail, and will be disabled.'),
        parked_endpoints: count.describe('Of them, those that are parked and probed now and then.'),
        open_operations: count.describe('Operations that are not done.'),
        cancelling_operations: count.describe('Of them, those that end as somebody cancelled them.'),
      })
      .meta({ id: 'MendsItself', description: 'What is open, and ends by itself.' }),
    dead_letters: z
      .strictObject({ count, accounts: count.describe('How many accounts have them.') })
      .meta({ id: 'DeadLetterCount', description: 'Dead letters of events of the last 24 hours.' }),
    answers: schemas.answerFigures.describe('What the API answered in the last hour.'),
    checks: z
      .strictObject({
        sweep: check.nullable().describe('What repairs lost runs and signals; `null`: Temporal did not say.'),
        retention: check
          .nullable()
          .describe('What deletes old rows and files; `null`: Temporal did not say.'),
        reconciliation: reconciliation
          .nullable()
          .describe('The last one that ended well; `null`: none has yet.'),
      })
      .meta({ id: 'ServiceChecks', description: 'The checks that say so, with their times.' }),
    accounts: z
      .strictObject({
        active: z.int().min(0).describe('Accounts that are active.').meta({ example: 18 }),
        disabled: z.int().min(0).describe('Accounts that are disabled.').meta({ example: 0 }),
      })
      .meta({ id: 'AccountCounts', description: 'The accounts of the service.' }),
    at: schemas.timestamp.describe('When this was counted.'),
  })
  .meta({ id: 'OperatorOverview' });

export function overviewRoutes(deps: Pick<ApiDeps, 'db' | 'temporal'>): Route[] {
  return [
    defineOperatorRead({
      path: '/operator/overview',
      operationId: 'getOverview',
      summary: 'Read what needs a person, and what mends itself',
      description: 'Counts over all accounts, each with its age, and when each check last ran.',
      responses: { 200: { description: 'The service in one answer', schema: overview } },
      handle: async () => ({ status: 200, body: await readOverview(deps) }),
    }),
  ];
}

async function readOverview({
  db,
  temporal,
}: Pick<ApiDeps, 'db' | 'temporal'>): Promise<z.output<typeof overview>> {
  const now = currentTimeMs();
  const deadline = performance.now() + askWithinMs;
  const operationLimits = { runningMs: oddAfter.running, cancellingMs: oddAfter.cancelling };
  const [
    unknown,
    undecided,
    operations,
    endpoints,
    letters,
    answers,
    accounts,
    sweep,
    retention,
    reconciled,
  ] = await Promise.all([
    countUnknownOutcomes(db, underWaySeconds * 1_000, most),
    countUnknownOutcomes(db, longestUnknownMs, most),
    countOpenOperations(db, operationLimits, most),
    countFailingEndpoints(db, most),
    countDeadLetters(db, firstIdAt('webhookDelivery', now - 86_400_000), most),
    readAnswers(db),
    countAccounts(db),
    temporal.findLastRun('sweep', deadline),
    temporal.findLastRun('retention', deadline),
    findReconciliation(db, null),
  ]);
  return {
    object: 'operator_overview',
    needs_person: {
      differences: (reconciled?.differences ?? 0) - (reconciled?.repaired ?? 0),
      undecided: presentBacklog(addBacklogs(undecided.charges, undecided.refunds)),
      stuck_operations: presentBacklog(operations.stuck),
    },
    mends_itself: {
      unknown_charges: presentBacklog(unknown.charges),
      unknown_refunds: presentBacklog(unknown.refunds),
      failing_endpoints: presentBacklog(endpoints.failing),
      parked_endpoints: endpoints.parked,
      open_operations: operations.open,
      cancelling_operations: operations.cancelling,
    },
    dead_letters: letters,
    answers,
    checks: {
      sweep: presentCheck(sweep),
      retention: presentCheck(retention),
      reconciliation: reconciled && presentReconciliation(reconciled),
    },
    accounts,
    at: new Date(now).toISOString(),
  };
}

function presentBacklog({ count, oldestAt }: Backlog): z.output<typeof backlog> {
  return { count, oldest: oldestAt?.toISOString() ?? null };
}

function addBacklogs(one: Backlog, other: Backlog): Backlog {
  const ages = [one.oldestAt, other.oldestAt].flatMap((at) => (at ? [at.getTime()] : []));
  const oldestAt = ages.length > 0 ? new Date(Math.min(...ages)) : null;
  return { count: Math.min(most, one.count + other.count), oldestAt };
}

function presentCheck(run: { endedAt: Date; isComplete: boolean; workflowId: string } | null) {
  return run && { ended: run.endedAt.toISOString(), complete: run.isComplete, workflow: run.workflowId };
}
