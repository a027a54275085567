import { chargeStatuses, type ChargeStatus } from '../charges.ts';
import type { ProblemResource } from '../problems.ts';
import type { ApiVersion, JsonSchema, JsonValue, Resource, VersionChange } from './version-change.ts';
import { chargesReadPaid } from './version-2026-11-01.ts';

/**
 * The dated API versions. The code uses the newest one only. Each breaking change is one module, which rewrites the newer
 * shape to the older one, and older request values to newer ones.
 */

export const currentVersion: ApiVersion = '2026-11-01';

/** Oldest first. */
export const apiVersions: readonly ApiVersion[] = ['2026-05-01', '2026-11-01'];

export function isApiVersion(value: string): value is ApiVersion {
  return (apiVersions as readonly string[]).includes(value);
}

/** When the next version came out, which deprecated this one. */
const deprecated: Partial<Record<ApiVersion, string>> = {
  '2026-05-01': '2026-11-01T00:00:00Z',
};

/** How long a deprecated version still works. */
const windowYears = 1;

/** Returns since when a version is deprecated, and when it ends. Returns `null` if it is not deprecated. */
export function findDeprecation(version: ApiVersion): { since: Date; sunset: Date } | null {
  const time = deprecated[version];
  if (time === undefined) return null;
  const sunset = new Date(time);
  sunset.setUTCFullYear(sunset.getUTCFullYear() + windowYears);
  return { since: new Date(time), sunset };
}

/** Newest first: the order in which a resource is rewritten to an older shape. */
const changes: readonly VersionChange[] = [chargesReadPaid];

const unseenBy = new Map(
  apiVersions.map((version) => [version, changes.filter((change) => change.version > version)]),
);

/** Returns the changes that a caller on `version` has not seen yet, newest first. */
function unseen(version: ApiVersion): VersionChange[] {
  return unseenBy.get(version) ?? [];
}

/** Rewrites a resource from its current shape to that of `version`. */
export function toVersion(version: ApiVersion, resource: Resource): Resource {
  return unseen(version).reduce((shape, change) => change.downgrade(shape), resource);
}

/** Rewrites a problem document from its current shape to that of `version`. */
export function problemToVersion(version: ApiVersion, problem: ProblemResource): ProblemResource {
  return unseen(version).reduce((shape, change) => change.downgradeProblem?.(shape) ?? shape, problem);
}

/** Returns the statuses of charges that a caller on `version` reads as it reads `status`: a filter selects them all. */
export function statusesReadAs(version: ApiVersion, status: ChargeStatus): ChargeStatus[] {
  const read = (one: string) =>
    unseen(version).reduce((spelling, change) => change.readStatus?.(spelling) ?? spelling, one);
  return chargeStatuses.filter((one) => read(one) === read(status));
}

/** Rewrites the value of a query parameter of `route` from the spelling of `version` to the current one. */
export function queryFromVersion(
  version: ApiVersion,
  route: string,
  parameter: string,
  value: string,
): string {
  return unseen(version).reduceRight(
    (spelling, change) => change.upgradeQuery?.(route, parameter, spelling) ?? spelling,
    value,
  );
}

/** Rewrites the body of a request to `route` from the shape of `version` to the current one. */
export function bodyFromVersion(version: ApiVersion, route: string, body: JsonValue): JsonValue {
  return unseen(version).reduceRight((shape, change) => change.upgradeBody?.(route, shape) ?? shape, body);
}

/** Rewrites a schema of the documents from its current shape to that of `version`. */
export function schemaInVersion(version: ApiVersion, name: string, schema: JsonSchema): JsonSchema {
  return unseen(version).reduce((shape, change) => change.downgradeSchema?.(name, shape) ?? shape, schema);
}
