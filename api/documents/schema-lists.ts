import { resolve, type JsonSchema } from '../openapi/json-schema.ts';
import { escapeHtml } from './html.ts';
import { renderMarkdown } from './markdown.ts';

/** Schemas as nested lists of members. */

type Schemas = Record<string, JsonSchema>;

/** Returns the members of a schema as a list; nothing if it has none. Members of a member open on request. */
export function schemaList(schema: JsonSchema, schemas: Schemas, path: readonly string[] = []): string {
  const name = refName(schema);
  if ((name !== '' && path.includes(name)) || path.length > 6) return '';
  const inner = [...path, name];
  const target = resolve(schema, schemas);
  const choices = alternatives(target);
  if (choices.length > 1) return choices.map((choice) => choiceList(choice, schemas, inner)).join('');
  if (choices.length === 1) return schemaList(choices[0] ?? {}, schemas, inner);
  if (target['items']) return schemaList(target['items'] as JsonSchema, schemas, inner);
  return memberList(target, schemas, inner);
}

/** Returns the parts of a choice that have members, without `null`. */
function alternatives(schema: JsonSchema): JsonSchema[] {
  const choices = (schema['oneOf'] ?? schema['anyOf'] ?? []) as JsonSchema[];
  return choices.filter(({ type }) => type !== 'null');
}

function choiceList(choice: JsonSchema, schemas: Schemas, path: readonly string[]): string {
  const list = schemaList(choice, schemas, path);
  if (list === '') return '';
  const title = refName(choice) || ((resolve(choice, schemas)['title'] ?? 'One form') as string);
  return `<details><summary>${escapeHtml(title)}</summary>${list}</details>`;
}

function memberList(schema: JsonSchema, schemas: Schemas, path: readonly string[]): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  if (properties.length === 0) return '';
  const required = new Set((schema['required'] ?? []) as string[]);
  const items = properties.map(([name, member]) => {
    const list = schemaList(member, schemas, path);
    const more = list && `<details><summary>Members of ${escapeHtml(name)}</summary>${list}</details>`;
    return `<li>${memberLine(name, member, required.has(name), schemas)}${more}</li>`;
  });
  return `<ul class="members">${items.join('\n')}</ul>`;
}

/** Returns the name, type and description of a member or parameter. */
export function memberLine(name: string, schema: JsonSchema, isRequired: boolean, schemas: Schemas): string {
  const target = resolve(schema, schemas);
  const description = (schema['description'] ?? target['description'] ?? '') as string;
  const mark = isRequired ? ' <span class="required">required</span>' : '';
  return `<code>${escapeHtml(name)}</code> <span class="type">${escapeHtml(typeName(schema, schemas))}</span>${mark}${description && renderMarkdown(description)}`;
}

/** Returns the type of a schema in words, with its bounds. */
function typeName(schema: JsonSchema, schemas: Schemas): string {
  const target = resolve(schema, schemas);
  const choices = [target['oneOf'], target['anyOf']].find(Array.isArray) as JsonSchema[] | undefined;
  if (choices) return [...new Set(choices.map((choice) => typeName(choice, schemas)))].join(' or ');
  if (target['const'] !== undefined) return JSON.stringify(target['const']);
  if (Array.isArray(target['enum'])) return (target['enum'] as unknown[]).map(String).join(' | ');
  const type = [target['type'] ?? 'any'].flat().map(String).join(' or ');
  if (type === 'array') return `array of ${typeName(target['items'] as JsonSchema, schemas)}`;
  const format = typeof target['format'] === 'string' ? ` (${target['format']})` : '';
  return `${type}${format}${bounds(target)}`;
}

function bounds(schema: JsonSchema): string {
  const { minimum, maximum, maxLength, default: standard } = schema as Record<string, number | undefined>;
  const isBounded = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER;
  return [
    minimum === undefined ? '' : `, at least ${minimum}`,
    isBounded ? `, at most ${maximum}` : '',
    maxLength === undefined ? '' : `, at most ${maxLength} characters`,
    standard === undefined ? '' : `, default ${JSON.stringify(standard)}`,
  ].join('');
}

function refName(schema: JsonSchema): string {
  const ref = schema['$ref'];
  return typeof ref === 'string' ? (ref.split('/').at(-1) ?? '') : '';
}
