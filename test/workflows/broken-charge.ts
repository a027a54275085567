import { sleep } from '@temporalio/workflow';
import { charge as soundCharge } from '../../workflows/charges.ts';
import type { ChargeInput, ChargeResult } from '../../workflows/contract.ts';

/** The `charge` workflow with a step that its recorded runs did not take: what replaying must not let through. */
export async function charge(input: ChargeInput): Promise<ChargeResult> {
  await sleep('1 second');
  return soundCharge(input);
}
