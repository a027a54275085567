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
  /** The newer shape → the one before this change; other resources come back unchanged. */
  downgrade(resource: Resource): Resource;
  /** The value of a query parameter of `route`, as the version before spells it → the newer spelling. */
  upgradeQuery?(route: string, parameter: string, value: string): string;
  /** The body of a request to `route`, as the version before has it → the newer shape; others come back unchanged. */
  upgradeBody?(route: string, body: JsonValue): JsonValue;
  /** The same rewriting of the JSON Schema that the documents call `name`; others come back unchanged. */
  downgradeSchema?(name: string, schema: JsonSchema): JsonSchema;
}
