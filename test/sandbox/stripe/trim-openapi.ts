import { readFileSync, writeFileSync } from 'node:fs';

/*
 * Makes openapi.json, beside this file, from Stripe's whole OpenAPI file (8 MB, MIT licence):
 *
 *   go mod download -json github.com/stripe/stripe-mock@v0.203.0     # "Dir" + /embedded/openapi/spec3.json
 *   node --import tsx test/sandbox/stripe/trim-openapi.ts SPEC3.JSON
 *
 * It keeps the operations that the sandbox has, payments by card, and what they refer to. An object that can be expanded
 * stays so if it is one of those below, and is cut to its id otherwise.
 */

type Schema = Record<string, unknown>;

const operations: Record<string, string[]> = {
  '/v1/account': ['get'],
  '/v1/balance_transactions': ['get'],
  '/v1/events': ['get'],
  '/v1/events/{id}': ['get'],
  '/v1/payment_intents': ['get', 'post'],
  '/v1/payment_intents/{intent}': ['get'],
  '/v1/payment_intents/{intent}/cancel': ['post'],
  '/v1/payment_intents/{intent}/capture': ['post'],
  '/v1/payment_intents/{intent}/confirm': ['post'],
  '/v1/payment_methods': ['post'],
  '/v1/refunds': ['get', 'post'],
  '/v1/refunds/{refund}': ['get'],
  '/v1/tokens': ['post'],
};
const kept = [
  'payment_intent',
  'charge',
  'refund',
  'balance_transaction',
  'payment_method',
  'customer',
  'card',
];
/** Members that belong to what the sandbox does not have. */
const foreign = new Set([
  'bank_account',
  'company',
  'controller',
  'external_accounts',
  'future_requirements',
  'hooks',
  'individual',
  'mandate_data',
  'person',
  'requirements',
  'settings',
  'setup_intent',
  'shipping',
  'sources',
  'subscriptions',
  'tax_ids',
]);

const prefix = '#/components/schemas/';

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The name that a schema refers to, or `undefined`. */
function referred(schema: unknown): string | undefined {
  const ref = isObject(schema) ? schema['$ref'] : undefined;
  return typeof ref === 'string' ? ref.slice(prefix.length) : undefined;
}

/** Leaves of an expandable member those objects that are kept; the id is a string. */
function cutExpandable(choices: unknown[]): unknown[] {
  const isExpandable = choices.some((one) => isObject(one) && one['type'] === 'string' && !('enum' in one));
  if (!isExpandable) return choices;
  return choices.filter((one) => referred(one) === undefined || kept.includes(referred(one)!));
}

function trim(value: unknown, otherMethods: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => trim(one, otherMethods));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([name, member]) =>
      !name.startsWith('x-') && !(['description', 'title'].includes(name) && typeof member === 'string'),
  );
  return Object.fromEntries(
    entries.map(([name, member]) => {
      if (name === 'anyOf' && Array.isArray(member)) return [name, trim(cutExpandable(member), otherMethods)];
      if (name === 'properties' && isObject(member))
        return [name, trim(cutProperties(member, otherMethods), otherMethods)];
      return [name, trim(member, otherMethods)];
    }),
  );
}

function cutProperties(properties: Schema, otherMethods: ReadonlySet<string>): Schema {
  return Object.fromEntries(
    Object.entries(properties).filter(
      ([name, schema]) => !otherMethods.has(name) && (!foreign.has(name) || isScalar(schema)),
    ),
  );
}

const isScalar = (schema: unknown) =>
  isObject(schema) && ['boolean', 'integer', 'string'].includes(String(schema['type']));

/** Adds the schemas that `value` refers to, and those that these refer to. */
function collect(value: unknown, schemas: Schema, into: Schema, otherMethods: ReadonlySet<string>): void {
  if (Array.isArray(value)) for (const one of value) collect(one, schemas, into, otherMethods);
  if (!isObject(value)) return;
  const name = referred(value);
  if (name !== undefined && !(name in into)) {
    into[name] = trim(schemas[name], otherMethods);
    collect(into[name], schemas, into, otherMethods);
  }
  for (const member of Object.values(value)) collect(member, schemas, into, otherMethods);
}

interface Whole {
  openapi: string;
  info: Schema & { version: string };
  paths: Record<string, Record<string, Schema>>;
  components: { schemas: Record<string, Schema> };
}

function main(file: string): void {
  const whole = JSON.parse(readFileSync(file, 'utf8')) as Whole;
  const { schemas } = whole.components;
  const types = (schemas['payment_method']!['properties'] as { type: { enum: string[] } }).type.enum;
  const otherMethods = new Set(types.filter((type) => type !== 'card'));
  const paths = Object.fromEntries(
    Object.entries(operations).map(([path, methods]) => [
      path,
      Object.fromEntries(methods.map((method) => [method, trim(whole.paths[path]![method], otherMethods)])),
    ]),
  );
  const used: Schema = {};
  collect(paths, schemas, used, otherMethods);
  collect({ $ref: `${prefix}event` }, schemas, used, otherMethods);
  const { version } = whole.info;
  const info = { title: 'Stripe API, trimmed', version, license: { name: 'MIT' } };
  const text = JSON.stringify({ openapi: whole.openapi, info, paths, components: { schemas: used } });
  writeFileSync(new URL('openapi.json', import.meta.url), `${text}\n`);
  process.stdout.write(`${Object.keys(used).length} schemas, ${Math.round(text.length / 1024)} KiB\n`);
}

main(process.argv[2] ?? '');
