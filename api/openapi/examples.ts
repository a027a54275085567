import { resolve, type JsonSchema } from './json-schema.ts';

/**
 * Returns an example of the schema: its own, or one made from those of its members.
 *
 * @param schemas the targets of its references.
 */
export function buildExample(schema: JsonSchema, schemas: Record<string, JsonSchema>): unknown {
  const { examples, const: only, default: standard, enum: choices, anyOf, oneOf } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (only !== undefined) return only;
  if (schema['$ref'] !== undefined) return buildExample(resolve(schema, schemas), schemas);
  if (standard !== undefined) return standard;
  if (Array.isArray(choices)) return choices[0];
  if (Array.isArray(anyOf)) return buildExample(preferred(anyOf as JsonSchema[]), schemas);
  if (Array.isArray(oneOf)) return buildExample(oneOf[0] as JsonSchema, schemas);
  return exampleOfType(schema, schemas);
}

/** Returns the choice with an example; otherwise `null` if it is a choice, since it is the simplest. */
function preferred(choices: JsonSchema[]): JsonSchema {
  const exemplary = choices.find((choice) => 'examples' in choice);
  return exemplary ?? choices.find(({ type }) => type === 'null') ?? choices[0] ?? {};
}

function exampleOfType(schema: JsonSchema, schemas: Record<string, JsonSchema>): unknown {
  switch (schema['type']) {
    case 'object':
      return exampleOfObject(schema, schemas);
    case 'array':
      return [buildExample(schema['items'] as JsonSchema, schemas)];
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return 'string';
  }
}

function exampleOfObject(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const members = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const required = (schema['required'] ?? []) as string[];
  const shown = members.filter(([name, member]) => required.includes(name) || 'examples' in member);
  return Object.fromEntries(shown.map(([name, member]) => [name, buildExample(member, schemas)]));
}
