import type { Database } from '#db/knex.ts';
import { findCharge, findChargeView } from '#db/payments/charges.ts';
import { isUndecided, presentCharge, type Charge, type ChargeView } from '#domain/charges.ts';
import { ProblemError } from '#domain/problems.ts';
import * as schemas from './charge-schemas.ts';
import { retryAfter } from '../http/headers.ts';
import type { Noun } from '../http/nouns.ts';
import { chargeId } from '../http/schemas.ts';

/** The parts that the routes of charges share: how one is found, shown and described. */

export const charges: Noun<ChargeView> = {
  kind: 'charge',
  name: 'charge',
  collection: 'charges',
  access: 'charges:read',
  id: chargeId,
  schema: schemas.chargeResource,
  // A pending charge says when to read it again.
  headers: ['Retry-After'],
  find: findChargeView,
  present: presentCharge,
  describe: (charge) => ({
    headers: retryAfter(charge),
    record: charge,
    // Its merchant may change the description and the metadata of any charge.
    change: isUndecided(charge) ? 'by_itself' : 'on_request',
  }),
};

/** The answer of a write, which is not polled. */
export const charge = { description: 'The charge', schema: schemas.chargeResource };

/** @throws {ProblemError} `not_found` */
export async function requireCharge(db: Database, accountId: string, id: string): Promise<Charge> {
  const charge = await findCharge(db, accountId, id);
  if (!charge) throw new ProblemError('not_found', { detail: 'There is no such charge in this account.' });
  return charge;
}
