import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describedTable } from '#api/described-table.ts';
import { describeTable } from '#api/openapi/document.ts';
import type { OpenApiDocument } from '#api/openapi/open-api.ts';
import { currentVersion, isApiVersion } from '#domain/versions/versions.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';

/**
 * Holds answers against the OpenAPI document: a status, header or body that it does not name is a fault, be it of
 * the service or of the document.
 */

/** An answer as it came, and what it answers. */
export interface Exchange {
  method: string;
  /** With its query. */
  path: string;
  status: number;
  headers: Headers;
  text: string;
}

/** @throws an error that names each fault. */
export function requireDocumented(exchange: Exchange): void {
  const named = exchange.headers.get('api-version') ?? '';
  const faults = findContract(isApiVersion(named) ? named : currentVersion).listFaults(exchange);
  if (isPolledInVain(exchange)) faults.push('what is pending carries no Retry-After');
  if (faults.length === 0) return;
  const { method, path, status, text } = exchange;
  throw new Error(
    `${method} ${path} answered ${status}, which openapi.json does not describe:\n  ${faults.join('\n  ')}\n  ${text.slice(0, 1000)}`,
  );
}

/** A charge or refund that is pending, told without when to read it again. */
function isPolledInVain({ path, status, headers, text }: Exchange): boolean {
  const isTold =
    path.startsWith('/v1/') && /^\{"id":"(ch|re)_/.test(text) && text.includes('"status":"pending"');
  return status < 300 && isTold && !headers.has('retry-after');
}

const contracts = new Map<ApiVersion, Contract>();

function findContract(version: ApiVersion): Contract {
  const known = contracts.get(version);
  if (known) return known;
  const contract = new Contract(describeTable(describedTable(), { version }));
  contracts.set(version, contract);
  return contract;
}

interface Described {
  $ref?: string;
  required?: boolean;
  schema?: object;
  headers?: Record<string, Described>;
  content?: Record<string, { schema?: object }>;
  [member: string]: unknown;
}

interface PathItem {
  pattern: RegExp;
  pointer: string;
  operations: Record<string, { responses: Record<string, Described> }>;
}

/** What one version of the document allows. */
export class Contract {
  readonly #document: OpenApiDocument;
  readonly #paths: PathItem[];
  readonly #ajv: Ajv2020;
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#paths = Object.entries(document.paths).map(([template, operations]) => ({
      pattern: new RegExp(`^${template.replaceAll(/[.:]/g, '\\$&').replaceAll(/\{(\w+)\}/g, parameter)}$`),
      pointer: `/paths/${escapePointer(template)}`,
      operations: operations as PathItem['operations'],
    }));
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: false });
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(closed(document), 'openapi');
  }

  /** What is wrong with an answer, a sentence each. */
  listFaults(exchange: Exchange): string[] {
    const found = this.#responseTo(exchange);
    if (typeof found === 'string') return [found];
    const { response, pointer } = this.#resolve(found.response, found.pointer);
    return [...this.#headerFaults(response, exchange), ...this.#bodyFaults(response, pointer, exchange)];
  }

  #responseTo({ method, path, status }: Exchange): { response: Described; pointer: string } | string {
    const [pathname = ''] = path.split('?');
    const item = this.#paths.find(({ pattern }) => pattern.test(pathname));
    const shared = (name: string) => ({ response: { $ref: `#/components/responses/${name}` }, pointer: '' });
    // The introduction tells of these: they belong to no operation.
    if (status === 308 && pathname.endsWith('/')) return shared('TrailingSlash');
    if (!item) return status === 404 ? shared('UnknownPath') : 'There is no such path.';
    if (method === 'OPTIONS') return status === 204 ? shared('Options') : 'OPTIONS is answered with 204.';
    const name = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = item.operations[name];
    if (!operation) return status === 405 ? shared('UnsupportedMethod') : 'There is no such operation.';
    const response = operation.responses[status];
    if (!response) return `The operation has ${Object.keys(operation.responses).join(', ')} only.`;
    return { response, pointer: `${item.pointer}/${name}/responses/${status}` };
  }

  #resolve(response: Described, pointer: string): { response: Described; pointer: string } {
    if (response.$ref === undefined) return { response, pointer };
    return { response: this.#lookUp(response.$ref), pointer: response.$ref.slice(1) };
  }

  #lookUp(ref: string): Described {
    const steps = ref.slice(2).split('/').map(unescapePointer);
    const found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], this.#document);
    if (found === undefined) throw new Error(`${ref} names nothing`);
    return found as Described;
  }

  #headerFaults({ headers = {} }: Described, exchange: Exchange): string[] {
    const missing = Object.entries(headers).flatMap(([name, header]) => {
      const { required, schema } = this.#resolve(header, '').response;
      const value = exchange.headers.get(name);
      if (value === null) return required ? [`The header ${name} is missing.`] : [];
      const isValid = this.#compile(JSON.stringify(schema), schema ?? {});
      const typed = (schema as { type?: string }).type === 'integer' ? Number(value) : value;
      return isValid(typed) ? [] : [`The header ${name} is ${value}.`];
    });
    const unknown = [...exchange.headers.keys()].filter(
      (name) => meaningful.has(name) && !Object.keys(headers).some((known) => known.toLowerCase() === name),
    );
    return [...missing, ...unknown.map((name) => `The header ${name} is not described.`)];
  }

  #bodyFaults(response: Described, pointer: string, { method, headers, text }: Exchange): string[] {
    if (method === 'HEAD') return [];
    const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
    const { content } = response;
    if (!content) return text === '' ? [] : ['It has a body.'];
    if (!(type in content))
      return [`Its type is ${type || 'not given'}, not ${Object.keys(content).join(' or ')}.`];
    // Not the lines of NDJSON.
    if (!/[/+]json$/.test(type) || !content[type]?.schema) return [];
    const isValid = this.#compile(pointer + type, {
      $ref: `openapi#${pointer}/content/${escapePointer(type)}/schema`,
    });
    if (isValid(JSON.parse(text))) return this.#codeFaults(response, text);
    return (isValid.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
  }

  /** A problem has one of the codes that the operation names. */
  #codeFaults(response: Described, text: string): string[] {
    const codes = response['x-problem-codes'] as string[] | undefined;
    if (!codes) return [];
    const { code } = JSON.parse(text) as { code: string };
    return codes.includes(code) ? [] : [`/code must be equal to one of ${codes.join(', ')}, not ${code}`];
  }

  #compile(key: string, schema: object): ValidateFunction {
    const known = this.#validators.get(key);
    if (known) return known;
    const validate = this.#ajv.compile(schema);
    this.#validators.set(key, validate);
    return validate;
  }
}

/** Headers that say something to a caller: one that is not described is as much a fault as one that is missing. */
const meaningful = new Set([
  'location',
  'content-location',
  'content-disposition',
  'content-range',
  'accept-ranges',
  'accept-encoding',
  'retry-after',
  'allow',
  'accept-patch',
  'etag',
  'last-modified',
  'link',
  'idempotent-replayed',
  'www-authenticate',
  'deprecation',
  'sunset',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
]);

/**
 * Answers may gain members, so the document leaves them open; here a member that it does not name is a fault.
 */
function closed<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(closed) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]));
  const isOpen =
    members['type'] === 'object' && 'properties' in members && !('additionalProperties' in members);
  return { ...members, ...(isOpen && { additionalProperties: false }) } as Value;
}

/** As the router has it: a key may hold a colon. */
const parameter = (_match: string, name: string) => (name === 'key' ? '[^/]+' : '[^/:]+');

const escapePointer = (step: string) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
const unescapePointer = (step: string) =>
  decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
