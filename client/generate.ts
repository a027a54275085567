import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';

/**
 * `npm run openapi`: writes `operations.ts`, the types and the table of operations, from `openapi.json`. Only what
 * is versioned becomes an operation: tokens are taken by the client itself.
 */

interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  description?: string;
}

interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  operationId: string;
  summary: string;
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
}

interface Document {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

interface NamedOperation {
  method: string;
  path: string;
  operation: Operation;
}

/** Headers that the client sets itself, or whose answer has no body. */
const ownHeaders = new Set([
  'Idempotency-Key',
  'API-Version',
  'traceparent',
  'If-None-Match',
  'If-Modified-Since',
]);

/** Returns the text of `operations.ts`. */
export async function generateOperations(document: Document): Promise<string> {
  const operations = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
    );
  const schemas = Object.entries(document.components.schemas);
  const blocks = [
    '// Written by `npm run openapi` from openapi.json. A test holds the two together.',
    "import type { Answer, CallOptions } from './calls.ts';",
    '/** The version that these types are of. */',
    `export const apiVersion = '${document.info.version}';`,
    ...schemas.map(
      ([name, schema]) => `${comment(schema.description)}export type ${name} = ${formatType(schema)};`,
    ),
    '/** What the service can be asked; each request is as `openapi.json` describes it. */',
    `export interface Operations {\n${operations.map((operation) => formatSignature(operation, document)).join('\n')}\n}`,
    '/** How each operation goes over the wire. */',
    `export const operations = {\n${operations.map(formatEntry).join('\n')}\n} as const;`,
  ];
  const style = await resolveConfig(new URL('operations.ts', import.meta.url));
  return format(blocks.join('\n\n'), { ...style, parser: 'typescript' });
}

function formatSignature(named: NamedOperation, document: Document): string {
  const { operation } = named;
  const members = requestMembers(operation, document);
  const isOptional = members.every((member) => !/^\w+:/.test(member));
  return `${comment(operation.summary)}${operation.operationId}(
    request${isOptional ? '?' : ''}: { ${members.join('; ')} },
    options?: CallOptions,
  ): Promise<Answer<${formatAnswer(operation)}>>;`;
}

/** Returns members such as `params: {…}` and `query?: {…}`. A member is optional if nothing in it is required. */
function requestMembers(operation: Operation, document: Document): string[] {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(parameter, document));
  const places = [
    ['params', parameters.filter((parameter) => parameter.in === 'path')],
    ['query', parameters.filter((parameter) => parameter.in === 'query')],
    ['headers', parameters.filter(({ in: place, name }) => place === 'header' && !ownHeaders.has(name))],
  ] as const;
  const members = places
    .filter(([, given]) => given.length > 0)
    .map(
      ([name, given]) =>
        `${name}${given.some(({ required }) => required) ? '' : '?'}: { ${given.map(formatMember).join('; ')} }`,
    );
  const { requestBody } = operation;
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  return body ? [...members, `body${requestBody?.required ? '' : '?'}: ${formatType(body)}`] : members;
}

function formatMember({ name, description, required, schema }: Parameter): string {
  return `${comment(description)}${JSON.stringify(name)}${required ? '' : '?'}: ${formatType(schema)}`;
}

function resolve(parameter: Parameter, { components }: Document): Parameter {
  if (parameter.$ref === undefined) return parameter;
  const found = components.parameters[readName(parameter.$ref)];
  if (!found) throw new Error(`${parameter.$ref} names nothing`);
  return found;
}

/** Returns the type of all successes; `null` for one without a body. */
function formatAnswer({ responses }: Operation): string {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => {
      const schema = content?.['application/json']?.schema;
      return schema ? formatType(schema) : content ? 'unknown' : 'null';
    });
  return [...new Set(types)].join(' | ');
}

function formatEntry({ method, path, operation }: NamedOperation): string {
  const type = Object.keys(operation.requestBody?.content ?? {})[0] ?? null;
  return `${operation.operationId}: ${JSON.stringify({ method, path, type })},`;
}

function formatType(schema: Schema): string {
  if (schema.$ref !== undefined) return readName(schema.$ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(formatType).join(' | ');
  const types = [schema.type ?? 'unknown'].flat().map((type) => typeOfKind(type, schema));
  return types.join(' | ');
}

function typeOfKind(type: string, schema: Schema): string {
  switch (type) {
    case 'object':
      return formatObject(schema);
    case 'array':
      return `(${formatType(schema.items ?? {})})[]`;
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    default:
      return 'unknown';
  }
}

function formatObject({ properties, required = [], additionalProperties }: Schema): string {
  if (!properties) {
    const values = typeof additionalProperties === 'object' ? formatType(additionalProperties) : 'unknown';
    return `Record<string, ${values}>`;
  }
  const members = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(schema.description)}${JSON.stringify(name)}${mark}: ${formatType(schema)}`;
  });
  return members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`;
}

const readName = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

const comment = (text: string | undefined) =>
  text === undefined ? '' : `\n/** ${text.replaceAll('*/', '* /')} */\n`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const source = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8');
  const target = new URL('operations.ts', import.meta.url);
  writeFileSync(target, await generateOperations(JSON.parse(source) as Document));
}
