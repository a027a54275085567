import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { currentTime } from '#db/clock.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { buildChargeUpdate } from '#db/payments/charge-updates.ts';
import { findChargeView } from '#db/payments/charges.ts';
import { commitEffect } from '#db/writes/effects.ts';
import { presentCharge, type ChargeDetails, type ChargeView } from '#domain/charges.ts';
import type { NewEvent } from '#domain/events.ts';
import { ProblemError } from '#domain/problems.ts';
import { requireCurrent } from '../http/conditional-requests.ts';
import type { ApiDeps } from '../http/deps.ts';
import { retryAfter } from '../http/headers.ts';
import { mergePatch } from '../json/json.ts';
import { defineRoute, toAudit, type Answer, type IdRequest, type Route } from '../http/route.ts';
import { chargeId } from '../http/schemas.ts';
import { validateBody } from '../http/validation.ts';
import * as schemas from './charge-schemas.ts';

/** Changes of what a merchant wrote about a charge, in any of its states. They are one statement and need no workflow. */
export function chargeUpdateRoutes({ db }: Pick<ApiDeps, 'db'>): Route[] {
  const update = defineRoute({
    method: 'PATCH',
    path: '/v1/charges/{id}',
    access: 'charges:update',
    summary: 'Change the reference, the description or the metadata of a charge (RFC 7386)',
    description: `A member that is left out stays; \`null\` removes it. It works in every state of the charge and moves no money. The
processor is not told: it keeps the description that the charge was made with. A change is told by \`charge.updated\`.`,
    params: z.object({ id: chargeId }),
    body: schemas.chargePatch,
    responses: {
      200: { description: 'The charge', schema: schemas.chargeResource, headers: ['Retry-After'] },
    },
    problems: ['not_found', 'precondition_failed', 'precondition_required'],
    handle: (request) => updateCharge(db, request),
  });
  return [update];
}

/**
 * Of two changes at once the first one wins: the tag of the second is stale then, or, if it takes any state (`*`), it changes
 * the newer charge. A patch that changes nothing writes nothing.
 */
async function updateCharge(
  db: Database,
  request: IdRequest<z.output<typeof schemas.chargePatch>>,
): Promise<Answer> {
  for (;;) {
    const read = await findChargeView(db, request.account.id, request.params.id);
    if (!read) throw new ProblemError('not_found');
    requireCurrent(request, read);
    const details = applyPatch(read, request.body);
    if (isDeepStrictEqual({ ...read, ...details }, read)) return show(read);
    const changed = { ...read, ...details, updatedAt: currentTime(), version: read.version + 1 };
    const move = buildChargeUpdate(read, details, changed.updatedAt);
    if (await commitEffect(db, move, { event: tellUpdate(changed), audit: toAudit(request, 200) }))
      return show(changed);
  }
}

/** @throws {ProblemError} `validation_failed` if the patch is valid, but not its result: 51 keys, for example. */
function applyPatch(
  { reference, description, metadata }: ChargeView,
  patch: z.output<typeof schemas.chargePatch>,
): ChargeDetails {
  return validateBody(schemas.chargeDetails, mergePatch({ reference, description, metadata }, patch));
}

function tellUpdate(charge: ChargeView): NewEvent {
  return { id: newId('event'), type: 'charge.updated', resourceId: charge.id, object: presentCharge(charge) };
}

function show(charge: ChargeView): Answer {
  return { status: 200, headers: retryAfter(charge), body: presentCharge(charge), record: charge };
}
