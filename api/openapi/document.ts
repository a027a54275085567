import { problems } from '#domain/problems.ts';
import { operatorScopes, scopes, type Scope } from '#domain/scopes.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import {
  currentVersion,
  findDeprecation,
  problemToVersion,
  schemaInVersion,
} from '#domain/versions/versions.ts';
import { exampleProblem, problemCodes, problemSchema } from '../http/problem-schema.ts';
import type { Route } from '../http/route.ts';
import { eventId } from '../http/schemas.ts';
import { isForMerchants } from './callers.ts';
import { addCodeSamples } from './code-samples.ts';
import { headComponents, headerComponents, describeHeaders } from './headers.ts';
import { introduction, serviceIntroduction, tags } from './introduction.ts';
import { mapDiscriminators, resolve, SharedSchemas, type JsonSchema } from './json-schema.ts';
import type { OpenApiDocument } from './open-api.ts';
import { operationId } from './operation-ids.ts';
import { describeRoute, type Operation, type Shared } from './operations.ts';
import { onEveryAnswer, problemResponse, ProblemResponses } from './responses.ts';
import { describeScope } from './scopes.ts';
import { deliveryParameters, describeWebhooks, type EventSchemas } from './webhooks.ts';

/** The routes and events; the documents are made from them alone. */
export interface RouteTable {
  routes: readonly Route[];
  events?: EventSchemas;
}

interface DocumentOptions {
  version?: ApiVersion;
  /** The issuer of tokens, if it is not this service. */
  outsideIssuer?: string | undefined;
  /** The path of `PUBLIC_URL`. (Default: none) */
  publicPath?: string;
}

/**
 * Returns the document of one API version, for those who call the API. Its addresses are relative to the server. The
 * same routes give the same text.
 */
export function createDocument(table: RouteTable, options: DocumentOptions = {}): OpenApiDocument {
  const routes = table.routes.filter(isForMerchants);
  return addCodeSamples(keepUsedComponents(describeTable({ ...table, routes }, options)));
}

/** Returns the document of the routes for operators, browsers and processors. */
export function createServiceDocument(
  { routes }: RouteTable,
  options: Pick<DocumentOptions, 'publicPath'> = {},
): OpenApiDocument {
  const own = routes.filter((route) => !isForMerchants(route));
  const document = describeTable({ routes: own }, options);
  document.components['securitySchemes'] = securitySchemes(undefined, operatorScopes);
  return keepUsedComponents({
    ...document,
    info: { ...document.info, title: 'Payments API: the service itself', description: serviceIntroduction },
  });
}

/** Returns the description of every route, with the answers of any path and all shared parts, used or not. */
export function describeTable(
  table: RouteTable,
  { version = currentVersion, outsideIssuer, publicPath = '' }: DocumentOptions = {},
): OpenApiDocument {
  const schemas = new SharedSchemas((name, schema) => schemaInVersion(version, name, schema));
  const isDeprecated = findDeprecation(version) !== null;
  const readers = listReaders(table);
  const shared: Shared = { schemas, problems: new ProblemResponses(isDeprecated), isDeprecated, readers };
  schemas.convert(problemSchema, 'output');
  schemas.convert(eventId, 'output');
  const paths = describePaths(table, shared);
  const webhooks = describeWebhooks(table.events ?? {}, schemas);
  return {
    openapi: '3.1.1',
    info: { title: 'Payments API', version, description: introduction, ...publisher },
    servers: [{ url: publicPath || '/', description: 'The service that serves this document' }],
    tags: listTags(paths, schemas),
    paths,
    ...(table.events && { webhooks }),
    components: {
      securitySchemes: securitySchemes(outsideIssuer),
      parameters: { ...headComponents(version), ...deliveryParameters },
      headers: headerComponents(),
      responses: { ...onEveryPath, ...shared.problems.all() },
      examples: problemExamples(version),
      schemas: mapDiscriminators(schemas.all()),
    },
  };
}

const publisher = {
  contact: { name: 'The operator of this service' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

/** Returns the operations of accounts that read, by path. */
function listReaders({ routes }: RouteTable): Map<string, string> {
  const reads = routes.filter(({ caller, method }) => caller === 'account' && method === 'GET');
  return new Map(reads.map((route) => [route.path, operationId(route)]));
}

function describePaths({ routes }: RouteTable, shared: Shared): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes)
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: describeRoute(route, shared),
    };
  return paths;
}

/** Returns the tags in the order of their first use. One without words of its own has those of its first schema. */
function listTags(paths: OpenApiDocument['paths'], schemas: SharedSchemas): object[] {
  const used = Object.values(paths).flatMap((item) => Object.values(item));
  return [...new Set(used.flatMap((operation) => operation.tags))].map((name) => ({
    name,
    description:
      tags[name] ??
      findAbout(
        used.find((operation) => operation.tags.includes(name)),
        schemas,
      ),
  }));
}

function findAbout(operation: Operation | undefined, schemas: SharedSchemas): string {
  const answers = Object.values(operation?.responses ?? {}) as { content?: Record<string, object> }[];
  const shown = answers.map(
    ({ content }) => (content?.['application/json'] as { schema?: JsonSchema })?.schema,
  );
  const about = shown.map((schema) => schema && resolve(schema, schemas.all())['description']).find(Boolean);
  return typeof about === 'string' ? about.replace(/\.?$/, '.') : '';
}

function problemExamples(version: ApiVersion): Record<string, object> {
  const entries = problemCodes.map((code) => [
    code,
    { summary: problems[code].title, value: problemToVersion(version, exampleProblem(code)) },
  ]);
  return Object.fromEntries(entries) as Record<string, object>;
}

/** Answers of a path, or of no path, which no operation can name. The introduction describes them. */
const onEveryPath = {
  Options: {
    description: 'The methods that the resource supports',
    headers: describeHeaders({ ...onEveryAnswer, Allow: 'always' }),
  },
  TrailingSlash: {
    description: 'The same path without its trailing slash',
    headers: describeHeaders({ ...onEveryAnswer, Location: 'always' }),
  },
  UnknownPath: problemResponse(['not_found'], onEveryAnswer),
  UnsupportedMethod: problemResponse(['method_not_allowed'], { ...onEveryAnswer, Allow: 'always' }),
};

function securitySchemes(
  outsideIssuer: string | undefined,
  offered: readonly Scope[] = scopes,
): Record<string, object> {
  if (outsideIssuer !== undefined) {
    const openIdConnectUrl = `${outsideIssuer}/.well-known/openid-configuration`;
    return { oauth2: { type: 'openIdConnect', openIdConnectUrl } };
  }
  return {
    client: {
      type: 'http',
      scheme: 'basic',
      description: 'The id and the secret of the client, for the endpoints of the issuer only.',
    },
    oauth2: {
      type: 'oauth2',
      description: 'OAuth 2.0 client credentials; a token lives for 10 minutes.',
      flows: {
        clientCredentials: {
          tokenUrl: '/oauth2/token',
          scopes: Object.fromEntries(offered.map((scope) => [scope, describeScope(scope)])),
        },
      },
    },
  };
}

/** Leaves out the components that nothing refers to: a document names only what its operations use. */

function keepUsedComponents(document: OpenApiDocument): OpenApiDocument {
  const { components, ...rest } = document;
  const used = new Set<string>();
  const queue = [...listReferences({ ...rest, security: components['securitySchemes'] })];
  for (let ref = queue.pop(); ref !== undefined; ref = queue.pop()) {
    if (used.has(ref)) continue;
    used.add(ref);
    queue.push(...listReferences(find(components, ref)));
  }
  const kept = Object.entries(components).map(([kind, members]) => [
    kind,
    kind === 'securitySchemes' ? keepSchemes(members, rest) : keepMembers(kind, members, used),
  ]);
  return {
    ...rest,
    components: Object.fromEntries(kept) as OpenApiDocument['components'],
  };
}

const prefix = '#/components/';

function* listReferences(value: unknown): Iterable<string> {
  if (typeof value === 'string' && value.startsWith(prefix)) yield value.slice(prefix.length);
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) yield* listReferences(member);
}

function find(components: OpenApiDocument['components'], ref: string): unknown {
  const [kind = '', name = ''] = ref.split('/');
  return (components[kind] as Record<string, unknown> | undefined)?.[name];
}

function keepMembers(kind: string, members: object, used: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(members).filter(([name]) => used.has(`${kind}/${name}`)));
}

function keepSchemes(schemes: object, document: object): object {
  const { paths } = document as Pick<OpenApiDocument, 'paths'>;
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const named = operations.flatMap(({ security = [] }) =>
    (security as object[]).flatMap((scheme) => Object.keys(scheme)),
  );
  return Object.fromEntries(Object.entries(schemes).filter(([name]) => named.includes(name)));
}
