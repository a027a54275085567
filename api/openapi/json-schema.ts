import { z } from 'zod';

/**
 * From the schemas that parse requests and shape answers to JSON Schema 2020-12, the dialect of OpenAPI 3.1.
 */

/** A JSON Schema, or a part of one. */
export type JsonSchema = Record<string, unknown>;

/** Where a schema stands: what a caller may send, or what it may read. */
export type Direction = 'input' | 'output';

const ownRef = '#/$defs/';
const sharedRef = '#/components/schemas/';

/** Schemas with an id of their own, which a document holds once. */
export class SharedSchemas {
  readonly #byName = new Map<string, JsonSchema>();
  readonly #rewrite: (name: string, schema: JsonSchema) => JsonSchema;

  /** @param rewrite from the shape that the code has to the one that the document is about. */
  constructor(rewrite: (name: string, schema: JsonSchema) => JsonSchema) {
    this.#rewrite = rewrite;
  }

  /** The JSON Schema of `schema`; what has an id in it is kept here and referred to. */
  convert(schema: z.ZodType, io: Direction): JsonSchema {
    const converted = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => tidy(jsonSchema, io),
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

  /** All of them, by name. */
  all(): Record<string, JsonSchema> {
    const entries = [...this.#byName].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries);
  }
}

/** What `ref` names among `schemas`; a schema that is no reference is its own. */
export function resolve(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const ref = schema['$ref'];
  if (typeof ref !== 'string') return schema;
  const target = schemas[ref.slice(sharedRef.length)];
  if (!target) throw new Error(`${ref} names nothing`);
  return target;
}

/** Changes in place what the conversion says in more words, or more strictly, than a reader is to rely on. */
function tidy(schema: JsonSchema, io: Direction): void {
  // `format` says it; the pattern that parses it is 300 characters.
  if (schema['format'] === 'date-time') delete schema['pattern'];
  // An answer may gain members without a new version (contract, Versioning 3).
  if (io === 'output' && schema['additionalProperties'] === false) delete schema['additionalProperties'];
  if ('example' in schema) {
    schema['examples'] = [schema['example']];
    delete schema['example'];
  }
}

function pointToShared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToShared);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, pointReference(name, member)]);
  return Object.fromEntries(members) as JsonSchema;
}

function pointReference(name: string, value: unknown): unknown {
  if (name !== '$ref' || typeof value !== 'string') return pointToShared(value);
  return value.replace(ownRef, sharedRef);
}
