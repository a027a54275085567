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
  const cancelsHastened = await upkeep.hastenCancels();
  const refundsRestarted = await upkeep.restartLostRefunds();
  const refundsUndecided = await upkeep.countUndecidedRefunds();
  return { claimsDeleted, chargesRestarted, cancelsHastened, refundsRestarted, refundsUndecided };
}

/** How often each repair was made; the run's result, so that operators see it in the UI. */
export interface SweepResult {
  claimsDeleted: number;
  chargesRestarted: number;
  cancelsHastened: number;
  refundsRestarted: number;
  /** How many refunds the processor owes its word on for longer than a minute. */
  refundsUndecided: number;
}
