import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { resourceStatus, waitsFor } from '#temporal/search-attributes.ts';

/** What operators see of a run in Temporal's user interface (`docs/operations.md`, "The Temporal UI"). */

export interface ShownProgress {
  status: string;
  /** The next step; none for work that waits for nobody. */
  next?: string;
  /** The processor's fault after which the run calls again. */
  fault?: string;
  /** Milliseconds until the wait is over. */
  expiresInMs?: number;
  settlesInMs?: number;
}

/** By the next step: the attribute `WaitsFor`, what the run waits for in words, and the page that helps. */
const waits: Readonly<Record<string, readonly [attribute: string, words: string, runbook?: string]>> = {
  resolve: ['outcome', 'Asks the processor what became of the payment.', 'processor-fails'],
  resolve_capture: ['outcome', 'Asks the processor what became of the capture.', 'processor-fails'],
  resolve_reversal: ['outcome', 'Asks the processor what became of the reversal.', 'processor-fails'],
  void: ['void', 'Calls the processor until it has given the money back.', 'processor-fails'],
  await_processor: ['processor', 'Waits for the decision of the processor.', 'refunds-undecided'],
  await_action: ['action', 'Waits for the buyer to confirm the payment.'],
  await_command: ['capture', 'Waits for a capture or a cancel of the merchant.'],
  await_settlement: ['settlement', 'Waits until the refund settles. Until then it can be reversed.'],
};

/**
 * Shows the progress: attributes to filter by, and details to read. The details are no event of the history; an unchanged
 * attribute is none either.
 */
export function showProgress(progress: ShownProgress): void {
  const [attribute, words, runbook] = waits[progress.next ?? ''] ?? [null, ''];
  const shown = workflowInfo().typedSearchAttributes;
  const changes: SearchAttributeUpdatePair[] = [];
  if (shown.get(resourceStatus) !== progress.status)
    changes.push({ key: resourceStatus, value: progress.status });
  if ((shown.get(waitsFor) ?? null) !== attribute) changes.push({ key: waitsFor, value: attribute });
  if (changes.length > 0) upsertSearchAttributes(changes);
  setCurrentDetails(
    [words, describeEnd(progress), describeFault(progress), runbook && `See docs/runbooks/${runbook}.md.`]
      .filter(Boolean)
      .join(' '),
  );
}

function describeEnd({ expiresInMs, settlesInMs }: ShownProgress): string {
  const ms = expiresInMs ?? settlesInMs;
  return ms === undefined ? '' : `Until ${new Date(Date.now() + ms).toISOString()}.`;
}

function describeFault({ fault }: ShownProgress): string {
  return fault ? `The last call to the processor ended with ${fault}. The run calls again.` : '';
}
