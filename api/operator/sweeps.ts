import { z } from 'zod';
import { askedRuns } from '#temporal/maintenance.ts';
import type { ApiDeps } from '../http/deps.ts';
import type { Route } from '../http/route.ts';
import { defineOperatorWrite, reasonBody } from './operator-route.ts';
import * as schemas from './schemas.ts';
import { requireDone, temporalWithinMs } from './temporal-calls.ts';

/** The sweep, run when an operator asks: it repairs what a crash between two systems can leave behind. */

const sweep = z
  .strictObject({ object: z.literal('sweep'), workflow: schemas.workflow })
  .meta({ id: 'Sweep' });

export function sweepRoutes(deps: Pick<ApiDeps, 'db' | 'temporal'>): Route[] {
  return [
    defineOperatorWrite({
      path: '/operator/sweeps',
      operationId: 'createSweep',
      summary: 'Run the sweep now, and not at its next time',
      description:
        'It runs every 30 s by itself. One that was asked for and still runs is the same one, so a repeat does no harm.',
      body: reasonBody,
      responses: { 200: { description: 'The sweep runs', schema: sweep } },
      async handle() {
        const start = { workflow: 'sweep', workflowId: askedRuns.sweep } as const;
        await requireDone(deps.temporal.startMaintenance(start, performance.now() + temporalWithinMs));
        return { status: 200, body: { object: 'sweep', workflow: askedRuns.sweep } };
      },
    }),
  ];
}
