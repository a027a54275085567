import type { OpenApiDocument } from './open-api.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Operation } from './operations.ts';

/** How the clients call an operation. All clients have the same names, each in the style of its language. */

export interface ClientCall {
  method: string;
  path: string;
  operationId: string;
  /** Such as `webhook-endpoints` and `rotate-secret`; `null`: the clients have no method for it. */
  resource: string | null;
  verb: string;
  /** The id in the path. */
  id: string | null;
  /** The example of the body; `undefined`: the clients take none. */
  body: unknown;
  /** The name of the body's schema. */
  schema: string;
  bodyType: string;
  takesQuery: boolean;
  takesKey: boolean;
  takesTag: boolean;
  answers: 'one' | 'list' | 'file' | 'nothing';
}

/** Returns how an operation is called. */
export function describeCall(
  document: OpenApiDocument,
  method: string,
  path: string,
  operation: Operation,
): ClientCall {
  const [bodyType = '', content] = Object.entries(bodyContent(operation))[0] ?? [];
  const schema = ((content?.schema?.['$ref'] ?? '') as string).split('/').at(-1);
  const names = listParameters(document, operation);
  const verb = findVerb(method, path);
  return {
    method: method.toUpperCase(),
    path,
    operationId: operation.operationId,
    resource: path.startsWith('/v1/') ? (path.split(/[/:]/)[2] ?? null) : null,
    verb,
    id: exampleId(names),
    body: schema === 'EmptyBody' ? undefined : content?.example,
    schema: schema ?? '',
    bodyType,
    takesQuery: names.some((parameter) => parameter.in === 'query') && !path.endsWith('/result'),
    takesKey: names.some(({ name, required }) => name === 'Idempotency-Key' && required),
    takesTag: names.some(({ name, required }) => name === 'If-Match' && required),
    answers: findAnswer(operation, names, path),
  };
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  example?: unknown;
  schema?: JsonSchema;
}

function listParameters({ components }: OpenApiDocument, operation: Operation): Parameter[] {
  const shared = components['parameters'] as Record<string, Parameter>;
  return ((operation['parameters'] ?? []) as JsonSchema[]).map((parameter) => {
    const ref = parameter['$ref'];
    return typeof ref === 'string'
      ? (shared[ref.split('/').at(-1) ?? ''] as Parameter)
      : (parameter as unknown as Parameter);
  });
}

function exampleId(parameters: Parameter[]): string | null {
  const [id] = parameters.filter((parameter) => parameter.in === 'path');
  if (!id) return null;
  return typeof id.example === 'string' ? id.example : 'op_01JF3ZC5T7P3X9R2V8K4M6N1WD';
}

function bodyContent(operation: Operation): Record<string, { schema?: JsonSchema; example?: unknown }> {
  const body = operation['requestBody'] as { content: Record<string, object> } | undefined;
  return body?.content ?? {};
}

/** Returns the last word of the path that is a verb, or the verb of the method. */
function findVerb(method: string, path: string): string {
  const rest = path.replace(/^\/v1\/[\w-]+/, '').replace(/^\/\{\w+\}/, '');
  if (rest !== '') return rest.slice(1);
  const isItem = path.includes('{');
  const verbs: Record<string, string> = {
    get: isItem ? 'get' : 'list',
    post: 'create',
    put: 'replace',
    patch: 'update',
  };
  return verbs[method] ?? method;
}

function findAnswer(operation: Operation, names: Parameter[], path: string): ClientCall['answers'] {
  if (path.endsWith('/result')) return 'file';
  if (names.some(({ name }) => name === 'starting_after')) return 'list';
  return '204' in operation.responses ? 'nothing' : 'one';
}
