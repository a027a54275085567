import { chargesReadPaid } from './2026-11-01-charge-status.ts';

/**
 * The dated API versions. Code speaks the newest one only; each breaking change is one module here
 * that rewrites the newer shape to the older one, and older request values to newer ones.
 */

export type ApiVersion = '2026-05-01' | '2026-11-01';

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

/** A resource over the wire; `object` says which. */
export interface Resource {
  object: string;
}

/** A parsed body, before it is validated. */
export type JsonValue = unknown;

/** A JSON Schema object, of the documents. */
export type JsonSchema = Record<string, unknown>;

/** One breaking change, named by the version that brought it. */
export interface VersionChange {
  version: ApiVersion;
  /** The newer shape → the one before this change; other resources come back unchanged. */
  downgrade(resource: Resource): Resource;
  /** The value of a query parameter of `route`, as the version before spells it → the newer spelling. */
  upgradeQuery?(route: string, parameter: string, value: string): string;
  /** The body of a request to `route`, as the version before has it → the newer shape; others come back unchanged. */
  upgradeBody?(route: string, body: JsonValue): JsonValue;
  /** The same rewriting of the JSON Schema that the documents call `name`; others come back unchanged. */
  downgradeSchema?(name: string, schema: JsonSchema): JsonSchema;
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
