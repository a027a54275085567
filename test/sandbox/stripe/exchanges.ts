import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { readForm } from '#sandbox/stripe/form.ts';

/** One request and its answer, as they passed. */
export interface Exchange {
  method: string;
  path: string;
  query: string;
  requestBody: string;
  status: number;
  responseBody: string;
}

type Json = Record<string, unknown>;
interface Operation {
  parameters?: { in: string; name: string; required?: boolean; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { content: Record<string, { schema: Json }> }>;
}

interface Checks {
  query: ValidateFunction;
  form: ValidateFunction;
  answer: ValidateFunction;
  refusal: ValidateFunction;
}

const document = JSON.parse(readFileSync(new URL('openapi.json', import.meta.url), 'utf8')) as {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Json };
};

/** The version of Stripe's API that the file describes. */
export const specVersion = document.info.version;

const components = '#/components/schemas/';

/** Turns a schema of OpenAPI 3.0 into one of JSON Schema: `nullable` becomes a choice, and a component is named by its id. */
function toJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJsonSchema);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...rest } = value as Json;
  const { $ref: ref } = rest;
  if (typeof ref === 'string' && ref.startsWith(components)) rest['$ref'] = ref.slice(components.length);
  const schema = Object.fromEntries(
    Object.entries(rest).map(([name, member]) => [name, toJsonSchema(member)]),
  );
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}

function querySchema(operation: Operation): Json {
  const inQuery = (operation.parameters ?? []).filter((one) => one.in === 'query');
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])),
    required: inQuery.filter(({ required }) => required).map(({ name }) => name),
  };
}

const ofForm = (operation: Operation) =>
  operation.requestBody?.content['application/x-www-form-urlencoded']?.schema ?? {};
const ofJson = (operation: Operation, status: string) =>
  operation.responses[status]?.content['application/json']?.schema ?? {};

function compile(): Map<string, Checks> {
  const formats = { 'unix-time': true, currency: true, decimal: true } as const;
  const answers = new Ajv({ strict: false, formats });
  // A form has texts only.
  const forms = new Ajv({ strict: false, formats, coerceTypes: true });
  // Each component is compiled once, and not with each operation.
  for (const [name, schema] of Object.entries(document.components.schemas))
    for (const ajv of [answers, forms]) ajv.addSchema(toJsonSchema(schema) as Json, name);
  const checks = new Map<string, Checks>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const make = (ajv: Ajv, schema: Json) => ajv.compile(toJsonSchema(schema) as Json);
      checks.set(`${method.toUpperCase()} ${path}`, {
        query: make(forms, querySchema(operation)),
        form: make(forms, ofForm(operation)),
        answer: make(answers, ofJson(operation, '200')),
        refusal: make(answers, ofJson(operation, 'default')),
      });
    }
  }
  return checks;
}

// Compiled before the tests start: it holds the loop for longer than some of them wait for an answer.
const checks = compile();

function findChecks(method: string, path: string): Checks | undefined {
  const names = [path, path.replace(/^(\/v1\/\w+\/)[^/]+/, '$1*')];
  for (const [name, found] of checks) {
    if (names.some((one) => name.replace(/\{\w+\}/, '*') === `${method} ${one}`)) return found;
  }
  return undefined;
}

function faultsIn(what: string, check: ValidateFunction, value: unknown): string[] {
  if (check(value)) return [];
  return (check.errors ?? []).map(
    (error) => `${what}${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  );
}

/** Copies it with prototypes, which ajv wants. */
const plain = (text: string): unknown => JSON.parse(JSON.stringify(readForm(text)));

/** Returns what is wrong with an exchange by Stripe's own file. A request that was refused may have been a wrong one. */
export function checkExchange(exchange: Exchange): string[] {
  const { method, path, query, requestBody, status, responseBody } = exchange;
  const found = findChecks(method, path);
  if (!found) return [`${method} ${path} is not in Stripe's file`];
  const answer = faultsIn('answer', status === 200 ? found.answer : found.refusal, JSON.parse(responseBody));
  const isOurFault = status === 400 || status === 404;
  const asked = isOurFault
    ? []
    : [...faultsIn('query', found.query, plain(query)), ...faultsIn('form', found.form, plain(requestBody))];
  return [...asked, ...answer].map((fault) => `${method} ${path} ${status}: ${fault}`);
}
