import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createDocument } from '#api/openapi/document.ts';
import type { Route } from '#api/http/route.ts';
import { environment } from '../../support/stack/environment.ts';
import { createMerchant } from '../../support/resources/merchant.ts';
import { sendRaw } from '../../support/stack/raw-http.ts';
import {
  buildBody,
  createEstate,
  toRouteName,
  buildPath,
  otherRoutes,
  routes,
  type Estate,
} from '../../support/route-requests.ts';

/** What no store takes, or what is longer than anything we keep. */
const texts = ['\ud800', 'a\udc00b', '\0', 'x'.repeat(125_000)];

/** An answer repeats none of them whole. */
const longestAnswer = 16 * 1024;

type Path = readonly (string | number)[];

interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema; example?: Record<string, unknown> }> };
  parameters?: { in?: string; name?: string }[];
}

const { paths, components } = createDocument({ routes: [...routes, ...otherRoutes] }) as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const findOperation = ({ method, path }: Pick<Route, 'method' | 'path'>): Operation =>
  paths[path]?.[method.toLowerCase()] ?? {};

/** Where a schema lets a string stand, and where an object. */
function* placesIn(schema: Schema, path: Path = []): Generator<{ kind: 'string' | 'object'; path: Path }> {
  if (schema.$ref) yield* placesIn(components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, path);
  for (const choice of schema.anyOf ?? []) yield* placesIn(choice, path);
  if (schema.type === 'string' || schema.enum) yield { kind: 'string', path };
  if (schema.type === 'object') yield { kind: 'object', path };
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    yield* placesIn(member, [...path, name]);
  if (typeof schema.additionalProperties === 'object')
    yield* placesIn(schema.additionalProperties, [...path, 'a']);
  if (schema.items) yield* placesIn(schema.items, [...path, 0]);
}

/** `root` with `value` at `path`, and what leads there. */
function withValue(root: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const items = Array.isArray(root) ? [...(root as unknown[])] : [];
    items[step] = withValue(items[step], rest, value);
    return items;
  }
  const members = typeof root === 'object' && root !== null ? (root as Record<string, unknown>) : {};
  return { ...members, [step]: withValue(members[step], rest, value) };
}

describe('Texts that cannot be kept', () => {
  let url: string;
  let estate: Estate;
  let authorization: string;
  before(async () => {
    url = (await environment()).stack.apiUrl;
    estate = await createEstate(await createMerchant());
    authorization = `Bearer ${estate.merchant.token}`;
  });

  const send = (route: Pick<Route, 'method'>, path: string, body?: unknown) =>
    sendRaw(url, {
      method: route.method,
      path,
      headers: {
        authorization,
        'idempotency-key': randomUUID(),
        ...(['PUT', 'PATCH', 'DELETE'].includes(route.method) && { 'if-match': '*' }),
        ...(body !== undefined && {
          'content-type': route.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
        }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  for (const route of routes.filter((candidate) => findOperation(candidate).requestBody)) {
    it(`are refused anywhere in the body of ${toRouteName(route)}`, async () => {
      const schema = Object.values(findOperation(route).requestBody?.content ?? {})[0]?.schema ?? {};
      for (const { kind, path } of placesIn(schema)) {
        for (const text of texts) {
          const at = kind === 'object' ? [...path, text] : path;
          const body = withValue(buildBody(route, estate), at, kind === 'object' ? 'x' : text);
          const answer = await send(route, buildPath(route, estate), body);
          const where = JSON.stringify(at).slice(0, 80);
          // A row of a batch fails alone.
          const expected =
            path.includes('charges') && at.length > 1 && route.path.endsWith('/charge-batches')
              ? [202]
              : [400, 422];
          assert.ok(
            expected.includes(answer.status),
            `${where}: ${answer.status} ${answer.text.slice(0, 300)}`,
          );
          assert.ok(answer.text.length < longestAnswer, `${where}: ${answer.text.length} characters`);
        }
      }
    });
  }

  it('are refused in each parameter of a query', async () => {
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      for (const { in: place, name } of findOperation(route).parameters ?? []) {
        if (place !== 'query' || name === undefined) continue;
        for (const text of ['%00', '%ED%A0%80', 'x'.repeat(8_000)]) {
          const { status, text: told } = await send(
            route,
            `${buildPath(route, estate)}?${encodeURIComponent(name)}=${text}`,
          );
          assert.ok(status < 500, `${toRouteName(route)} ${name}: ${status} ${told}`);
        }
      }
    }
  });

  it('name nothing in the place of an id', async () => {
    // A merchant is refused by the routes of operators, whatever it names there.
    const isOpen = ({ path }: Pick<Route, 'path'>) => path.includes('{') && !path.startsWith('/operator/');
    for (const route of [...routes, ...otherRoutes].filter(isOpen)) {
      for (const text of ['%00', '%ED%A0%80', 'x'.repeat(8_000)]) {
        const path = route.path.replace(/\{\w+\}/, text);
        const body =
          findOperation(route).requestBody && route.path.startsWith('/v1/')
            ? buildBody(route, estate)
            : undefined;
        const { status, text: told } = await send(route, path, body);
        assert.ok(
          status === 404 || (status === 400 && route.path.includes('{key}')),
          `${toRouteName(route)}: ${told}`,
        );
      }
    }
  });
});
