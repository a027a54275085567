import { z } from 'zod';
import { currentTimeMs } from '#db/clock.ts';
import { findReturnUrl, readReturn, returnsPath } from '#db/payments/return-urls.ts';
import { ProblemError } from '#domain/problems.ts';
import { toReturnLocation } from './return-urls.ts';
import type { ApiDeps } from '../http/deps.ts';
import { unavailableWithoutDatabase } from '../http/outage.ts';
import { defineRoute, type Route } from '../http/route.ts';

/** How often the return of a buyer is told to the charge's workflow at most, in milliseconds: a page can be loaded again and again. */
const toldEveryMs = 5_000;

type ReturnDeps = Pick<ApiDeps, 'db' | 'config' | 'onProcessorNotification'>;

const params = z.object({
  charge: z
    .string()
    .describe('A signed reference of the charge, from the link that the processor was given.'),
});

/**
 * The route that a processor sends a buyer back to. The charge is asked for at once, so that nobody waits for a
 * notification, and the buyer goes on to the merchant's page. What the processor put into the query goes no further.
 */
export function processorReturnRoutes(deps: ReturnDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${returnsPath}/{charge}`,
      caller: 'processor',
      operationId: 'returnBuyer',
      summary: 'Send a buyer back to the merchant, from the processor',
      description:
        'The processor sends the browser of the buyer here. The charge is looked up at once, and the buyer goes on to the `return_url`.',
      params,
      responses: {
        303: { description: 'To the `return_url` of the charge, with `charge` added to its query' },
      },
      async handle({ params }) {
        const chargeId = readReturn(deps.config.secretsKey, params.charge);
        const returnUrl =
          chargeId && (await findReturnUrl(deps.db, chargeId).catch(unavailableWithoutDatabase));
        if (!chargeId || !returnUrl) throw new ProblemError('not_found');
        const id = `returned/${chargeId}/${Math.floor(currentTimeMs() / toldEveryMs)}`;
        await deps.onProcessorNotification({ id, key: chargeId });
        return { status: 303, headers: { location: toReturnLocation(returnUrl, chargeId) } };
      },
    }),
  ];
}
