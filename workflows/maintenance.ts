import { upkeep } from './activities.ts';

/**
 * Upkeep, started by Temporal Schedules.
 */

/** Drops what is older than it needs to be: answered keys after 24 h, and makes the coming weeks' partitions. */
export async function retention(): Promise<{ keysDeleted: number }> {
  await upkeep.preparePartitions();
  return { keysDeleted: await upkeep.deleteExpiredKeys() };
}

/** Repairs what a crash between two systems can leave behind. */
export async function sweep(): Promise<SweepResult> {
  const claimsDeleted = await upkeep.deleteStaleClaims();
  const chargesRestarted = await upkeep.restartLostCharges();
  return { claimsDeleted, chargesRestarted, cancelsHastened: await upkeep.hastenCancels() };
}

/** How often each repair was made; the run's result, so that operators see it in the UI. */
export interface SweepResult {
  claimsDeleted: number;
  chargesRestarted: number;
  cancelsHastened: number;
}
