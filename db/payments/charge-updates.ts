import type { ChargeDetails, ChargeView } from '#domain/charges.ts';
import type { Move } from '../writes/effects.ts';

/** Changes of what a merchant wrote about a charge. They move no money, and no step of its workflow depends on them. */

/**
 * Builds the move that writes a charge's details, if nobody changed the charge since it was read. So a step that moves
 * money never saves an event or an answer with older details: its own guard fails, and it reads the charge again.
 *
 * While the charge is open its processor is told of the first description and reference: another text under the same key
 * would be another request (`toSentCharge`, `toOrigin`). Afterwards the first ones are forgotten.
 */
export function buildChargeUpdate(read: ChargeView, details: ChargeDetails, at: Date): Move {
  return {
    name: 'update-charge',
    sql: `
      update charges set
        first_terms = case when status in ('pending', 'requires_action', 'requires_capture')
          then coalesce(first_terms, json_build_object('description', description, 'reference', reference)) end,
        description = $3, metadata = $4, updated_at = $5, reference = $6, version = version + 1
      where id = $1 and version = $2
      returning id, account_id`,
    values: [
      read.id,
      read.version,
      details.description,
      JSON.stringify(details.metadata),
      at,
      details.reference,
    ],
  };
}
