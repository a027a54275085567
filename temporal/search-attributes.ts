import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** On every workflow, so that operators find the runs of an account, a resource, a status, a processor (docs/operations.md). */
export const accountId = defineSearchAttributeKey('AccountId', SearchAttributeType.KEYWORD);
export const resourceId = defineSearchAttributeKey('ResourceId', SearchAttributeType.KEYWORD);
export const resourceStatus = defineSearchAttributeKey('ResourceStatus', SearchAttributeType.KEYWORD);
/** Of charges and refunds: the id of the processor, or `built-in`. */
export const processor = defineSearchAttributeKey('Processor', SearchAttributeType.KEYWORD);
/** What the run waits for; none: it works, or has ended. */
export const waitsFor = defineSearchAttributeKey('WaitsFor', SearchAttributeType.KEYWORD);
