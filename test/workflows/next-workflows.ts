import { patched, upsertMemo } from '@temporalio/workflow';
import { charge as chargeAsItIs } from '#workflows/charges.ts';
import type { ChargeInput, ChargeResult } from '#temporal/charges.ts';

/** The workflows of a release to come, which takes a step more than the one that runs, the way CONTRIBUTING.md asks for. */

export * from '#workflows/index.ts';

export async function charge(input: ChargeInput): Promise<ChargeResult> {
  if (patched('the-next-release')) upsertMemo({ release: 'next' });
  return chargeAsItIs(input);
}
