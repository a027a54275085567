import { z } from 'zod';

/** Converts the schemas of requests and answers to JSON Schema 2020-12, the dialect of OpenAPI 3.1. */

/** A JSON Schema, or a part of one. */
export type JsonSchema = Record<string, unknown>;

/** Whether a schema is of a request or of an answer. */
export type Direction = 'input' | 'output';

const ownRef = '#/$defs/';
const sharedRef = '#/components/schemas/';

/** Schemas with an id of their own, which a document holds once. */
export class SharedSchemas {
  readonly #byName = new Map<string, JsonSchema>();
  readonly #rewrite: (name: string, schema: JsonSchema) => JsonSchema;

  /** @param rewrite returns the schema in the version of the document. */
  constructor(rewrite: (name: string, schema: JsonSchema) => JsonSchema) {
    this.#rewrite = rewrite;
  }

  /** Returns the JSON Schema of `schema`. Parts with an id are kept here, and referred to. */
  convert(schema: z.ZodType, io: Direction): JsonSchema {
    const converted = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => tidy(zodSchema, jsonSchema, io),
    });
    const { $schema: _dialect, $defs: definitions = {}, ...own } = pointToShared(converted) as JsonSchema;
    for (const [name, definition] of Object.entries(definitions as Record<string, JsonSchema>)) {
      this.#keep(name, definition);
    }
    return own;
  }

  #keep(name: string, { id: _id, ...current }: JsonSchema): void {
    const definition = this.#rewrite(name, current);
    const known = this.#byName.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
      throw new Error(`${name} reads differently where it is sent and where it is read: it needs two ids`);
    }
    this.#byName.set(name, definition);
  }

  /** Returns all shared schemas by name. */
  all(): Record<string, JsonSchema> {
    const entries = [...this.#byName].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries);
  }
}

/** Returns the schema that `schema` refers to, or `schema` itself if it is no reference. */
export function resolve(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const ref = schema['$ref'];
  if (typeof ref !== 'string') return schema;
  const target = schemas[ref.slice(sharedRef.length)];
  if (!target) throw new Error(`${ref} names nothing`);
  return target;
}

/** Simplifies the converted schema in place. */
function tidy(zodSchema: unknown, schema: JsonSchema, io: Direction): void {
  // `format` is enough; the pattern has 300 characters.
  if (schema['format'] === 'date-time') delete schema['pattern'];
  // An answer may gain members without a new version (`docs/guides/upgrading.md`, "What changes without a new version").
  if (io === 'output' && schema['additionalProperties'] === false) delete schema['additionalProperties'];
  if ('example' in schema) {
    schema['examples'] = [schema['example']];
    delete schema['example'];
  }
  // Generators of Java write it down as code that does not compile; an object that is left out is an empty one anyway.
  if (isEmptyObject(schema['default'])) delete schema['default'];
  if ('$ref' in schema) keepOnly(schema, besideReferences);
  if (schema['type'] === 'integer') nameSize(schema);
  describeConstants(schema);
  const { discriminator } = (zodSchema as { _zod: { def: { discriminator?: string } } })._zod.def;
  if (discriminator !== undefined) schema['discriminator'] = { propertyName: discriminator };
}

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}

/** Whatever else stands beside a reference repeats its target. */
const besideReferences = new Set(['$ref', 'description', 'default', 'examples']);

function keepOnly(schema: JsonSchema, names: ReadonlySet<string>): void {
  for (const name of Object.keys(schema)) if (!names.has(name)) delete schema[name];
}

/** Names the size of an integer, since generators take 32 bits otherwise. Bounds that every number has are left out. */
function nameSize(schema: JsonSchema): void {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
  const isSmall =
    minimum !== undefined && minimum >= -(2 ** 31) && maximum !== undefined && maximum < 2 ** 31;
  schema['format'] = isSmall ? 'int32' : 'int64';
}

/** Writes several types as alternatives: what can be `null` reads the same everywhere. */
function splitTypes(schema: JsonSchema, types: readonly unknown[]): void {
  const inner = Object.entries(schema).filter(([name]) => !besideReferences.has(name));
  for (const [name] of inner) delete schema[name];
  const rest = Object.fromEntries(inner);
  schema['anyOf'] = types.map((type) => (type === 'null' ? { type } : { ...rest, type }));
}

/** Describes the members that have one value. */
function describeConstants(schema: JsonSchema): void {
  for (const member of Object.values((schema['properties'] ?? {}) as Record<string, JsonSchema>)) {
    if ('const' in member) member['description'] ??= `Always \`${String(member['const'])}\`.`;
  }
}

/**
 * Returns the schemas with the targets of their discriminators: which value of the member names which schema.
 *
 * @throws if a schema that is told apart by a member has no such constant.
 */
export function mapDiscriminators(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const mapped = Object.entries(schemas).map(([name, schema]) => {
    const { discriminator, oneOf } = schema as {
      discriminator?: { propertyName: string };
      oneOf?: JsonSchema[];
    };
    if (!discriminator || !oneOf) return [name, schema];
    const { propertyName } = discriminator;
    const mapping = oneOf.map((choice) => {
      const { properties } = resolve(choice, schemas) as { properties?: Record<string, JsonSchema> };
      const value = properties?.[propertyName]?.['const'];
      if (value === undefined) throw new Error(`${name} cannot be told apart by ${propertyName}`);
      return [value, choice['$ref']];
    });
    return [
      name,
      { ...schema, discriminator: { propertyName, mapping: Object.fromEntries(mapping) as object } },
    ];
  });
  return Object.fromEntries(mapped) as Record<string, JsonSchema>;
}

function pointToShared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToShared);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, pointReference(name, member)]);
  const pointed = Object.fromEntries(members) as JsonSchema;
  // The conversion joins types at its end.
  if (Array.isArray(pointed['type'])) splitTypes(pointed, pointed['type']);
  return pointed;
}

function pointReference(name: string, value: unknown): unknown {
  if (name !== '$ref' || typeof value !== 'string') return pointToShared(value);
  return value.replace(ownRef, sharedRef);
}
