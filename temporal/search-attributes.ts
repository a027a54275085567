import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** On every workflow, so that operators find the runs of an account, a resource, a status. */
export const accountId = defineSearchAttributeKey('AccountId', SearchAttributeType.KEYWORD);
export const resourceId = defineSearchAttributeKey('ResourceId', SearchAttributeType.KEYWORD);
export const resourceStatus = defineSearchAttributeKey('ResourceStatus', SearchAttributeType.KEYWORD);
