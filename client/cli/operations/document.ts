import { existsSync, readFileSync } from 'node:fs';

/** The document of the service, as far as commands are made from it. */

/** A schema; references are resolved by {@link resolve}. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  description?: string;
  default?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  format?: string;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

interface Content {
  schema: Schema;
}

interface DocumentOperation {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
}

export interface Document {
  info: { version: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

/** One operation, with its references resolved. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  /** `null`: it takes no body. */
  body: { type: string; schema: Schema; isRequired: boolean } | null;
  /** Whether an answer can be something else than JSON: a file. */
  isFile: boolean;
  /** Whether it answers with a page of a list. */
  isList: boolean;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Reads the document: of the package, where it is installed; else of the repository. */
export function readDocument(): Document {
  const places = ['../openapi.json', '../../openapi.json'].map(
    (path) => new URL(`../${path}`, import.meta.url),
  );
  const place = places.find((url) => existsSync(url));
  if (!place) throw new Error('This installation lacks openapi.json. Install it again');
  return JSON.parse(readFileSync(place, 'utf8')) as Document;
}

/** Returns every operation of the API and of its issuer of tokens, in the order of the document. */
export function listOperations(document: Document): Operation[] {
  return Object.entries(document.paths)
    .filter(([path]) => /^\/(v1|oauth2)\//.test(path))
    .flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => methods.includes(method))
        .map(([method, found]) => toOperation(document, [path, method], item, found as DocumentOperation)),
    );
}

function toOperation(
  document: Document,
  [path, method]: [path: string, method: string],
  item: Record<string, unknown>,
  found: DocumentOperation,
): Operation {
  const shared = (item['parameters'] ?? []) as Parameter[];
  const parameters = [...shared, ...(found.parameters ?? [])].map((given) =>
    resolveParameter(document, given),
  );
  const [type, content] = Object.entries(found.requestBody?.content ?? {})[0] ?? [];
  const types = successTypes(found);
  return {
    id: found.operationId,
    method: method.toUpperCase(),
    path,
    parameters,
    summary: found.summary ?? found.operationId,
    description: unwrap(found.description ?? ''),
    body:
      type && content
        ? { type, schema: content.schema, isRequired: found.requestBody?.required ?? false }
        : null,
    isFile: types.some((name) => name !== 'application/json'),
    isList: parameters.some(({ name }) => name === 'starting_after'),
  };
}

function successTypes({ responses }: DocumentOperation): string[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => Object.keys(content ?? {}));
}

function resolveParameter({ components }: Document, parameter: Parameter): Parameter {
  if (parameter.$ref === undefined) return parameter;
  const name = parameter.$ref.slice(parameter.$ref.lastIndexOf('/') + 1);
  const found = components.parameters[name];
  if (!found) throw new Error(`${parameter.$ref} names nothing`);
  return found;
}

/** Returns the text with its lines joined, as a terminal of any width can show it. Lists keep their lines. */
export function unwrap(text: string): string {
  return text.replaceAll(/(?<!\n)\n(?![\n*|-])/g, ' ');
}

/** Returns the schema that is meant: of a reference, or of `anyOf` beside `null`. Outer descriptions win. */
export function resolve(document: Document, schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    const { $ref: _, ...outer } = schema;
    return resolve(document, { ...document.components.schemas[name], ...outer });
  }
  const choices = (schema.anyOf ?? schema.allOf ?? []).filter(({ type }) => type !== 'null');
  if (choices.length !== 1) return schema;
  const { anyOf: _, allOf: _all, ...outer } = schema;
  return { ...resolve(document, choices[0]!), ...outer };
}

/** Returns whether `null` is a value of it. */
export function isNullable({ type, anyOf = [] }: Schema): boolean {
  return [type].flat().includes('null') || anyOf.some((choice) => choice.type === 'null');
}
