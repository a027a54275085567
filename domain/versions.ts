import type { ApiVersion, JsonSchema, JsonValue, Resource, VersionChange } from './version-change.ts';
import { chargesReadPaid } from './version-2026-11-01.ts';

/**
 * The dated API versions. Code speaks the newest one only; each breaking change is one module here
 * that rewrites the newer shape to the older one, and older request values to newer ones.
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

/** How long a deprecated version goes on to work (decisions, Version). */
const windowYears = 1;

/** Since when a version is deprecated, and when it ends; `null` for one that is not. */
export function deprecationOf(version: ApiVersion): { since: Date; sunset: Date } | null {
  const time = deprecated[version];
  if (time === undefined) return null;
  const sunset = new Date(time);
  sunset.setUTCFullYear(sunset.getUTCFullYear() + windowYears);
  return { since: new Date(time), sunset };
}

/** Newest first: the order in which a resource is taken back. */
const changes: readonly VersionChange[] = [chargesReadPaid];

const unseenBy = new Map(
  apiVersions.map((version) => [version, changes.filter((change) => change.version > version)]),
);

/** The changes that a caller on `version` has not seen yet, newest first. */
function unseen(version: ApiVersion): VersionChange[] {
  return unseenBy.get(version) ?? [];
}

/** `resource`, given in the current shape, as `version` shows it. */
export function toVersion(version: ApiVersion, resource: Resource): Resource {
  return unseen(version).reduce((shape, change) => change.downgrade(shape), resource);
}

/** The value of a query parameter of `route`, given as `version` spells it, in the current spelling. */
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

/** The body of a request to `route`, given in the shape of `version`, in the current one. */
export function bodyFromVersion(version: ApiVersion, route: string, body: JsonValue): JsonValue {
  return unseen(version).reduceRight((shape, change) => change.upgradeBody?.(route, shape) ?? shape, body);
}

/** A schema of the documents, given in the current shape, as `version` has it. */
export function schemaInVersion(version: ApiVersion, name: string, schema: JsonSchema): JsonSchema {
  return unseen(version).reduce((shape, change) => change.downgradeSchema?.(name, shape) ?? shape, schema);
}
