import type { ChargeResource } from '../charges.ts';
import type { Resource, VersionChange } from './index.ts';

/**
 * 2026-11-01: a charge's `status` `paid` is called `succeeded`, and the flat `failure_code` and
 * `failure_message` became the object `failure`, which has room for the decline code.
 */
export const chargesReadPaid: VersionChange = {
  version: '2026-11-01',
  downgrade(resource) {
    return isCharge(resource) ? flatten(resource) : resource;
  },
  upgradeQuery(object, parameter, value) {
    return object === 'charge' && parameter === 'status' && value === 'paid' ? 'succeeded' : value;
  },
};

function isCharge(resource: Resource): resource is ChargeResource {
  return resource.object === 'charge';
}

function flatten({ failure, status, ...rest }: ChargeResource): Resource {
  return Object.assign(rest, {
    status: status === 'succeeded' ? 'paid' : status,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
  });
}
