import type { ProblemResource } from '../problems.ts';

export type ApiVersion = '2026-05-01' | '2026-11-01';

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
  /** Rewrites a resource to the shape before this change; returns other resources unchanged. */
  downgrade(resource: Resource): Resource;
  /** Rewrites a problem document to the shape before this change. */
  downgradeProblem?(problem: ProblemResource): ProblemResource;
  /** Returns how a charge's status reads before this change. */
  readStatus?(status: string): string;
  /** Rewrites the value of a query parameter of `route` to the newer spelling. */
  upgradeQuery?(route: string, parameter: string, value: string): string;
  /** Rewrites the body of a request to `route` to the newer shape; returns others unchanged. */
  upgradeBody?(route: string, body: JsonValue): JsonValue;
  /** Rewrites the JSON Schema that the documents call `name` to the shape before; returns others unchanged. */
  downgradeSchema?(name: string, schema: JsonSchema): JsonSchema;
}
