import { problems } from '#domain/problems.ts';
import { currentVersion, findDeprecation, schemaInVersion } from '#domain/versions/versions.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import type { RawRoute } from '../http/raw-route.ts';
import { operatorScopes, scopes, type Scope } from '#domain/scopes.ts';
import type { Route } from '../http/route.ts';
import { addCodeSamples } from './code-samples.ts';
import { describeScope } from './scopes.ts';
import { headComponents, headerComponents, describeHeaders } from './headers.ts';
import { introduction, serviceIntroduction, tags } from './introduction.ts';
import { mapDiscriminators, SharedSchemas } from './json-schema.ts';
import { operationId } from './operation-ids.ts';
import { describeRoute, type Operation, type Shared } from './operations.ts';
import { describeRawRoute } from './raw-operations.ts';
import { exampleProblem, problemCodes, problemSchema } from '../http/problem-schema.ts';
import { eventId } from '../http/schemas.ts';
import { onEveryAnswer, problemResponse, ProblemResponses } from './responses.ts';
import type { OpenApiDocument } from './open-api.ts';
import { keepUsedComponents } from './used-components.ts';
import { deliveryParameters, describeWebhooks, type EventSchemas } from './webhooks.ts';

/** The routes and events; the documents are made from them alone. */
export interface RouteTable {
  routes: readonly Route[];
  rawRoutes: readonly RawRoute[];
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
  const rawRoutes = table.rawRoutes.filter(({ isForOperators }) => !isForOperators);
  return addCodeSamples(keepUsedComponents(describeTable({ ...table, rawRoutes }, options)));
}

/** Returns the document of the routes for operators, browsers and processors. */
export function createServiceDocument(
  { rawRoutes }: RouteTable,
  options: Pick<DocumentOptions, 'publicPath'> = {},
): OpenApiDocument {
  const own = rawRoutes.filter(({ isForOperators }) => isForOperators);
  const document = describeTable({ routes: [], rawRoutes: own }, options);
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
    tags: listTags(paths),
    paths,
    ...(table.events && { webhooks }),
    components: {
      securitySchemes: securitySchemes(outsideIssuer),
      parameters: { ...headComponents(version), ...deliveryParameters },
      headers: headerComponents(),
      responses: { ...onEveryPath, ...shared.problems.all() },
      examples: problemExamples(),
      schemas: mapDiscriminators(schemas.all()),
    },
  };
}

const publisher = {
  contact: { name: 'The operator of this service' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

function listReaders({ routes }: RouteTable): Map<string, string> {
  return new Map(
    routes.filter(({ method }) => method === 'GET').map((route) => [route.path, operationId(route)]),
  );
}

function describePaths({ routes, rawRoutes }: RouteTable, shared: Shared): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {};
  const add = (path: string, method: string, operation: Operation) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  for (const route of routes) add(route.path, route.method, describeRoute(route, shared));
  for (const route of rawRoutes) add(route.path, route.method, describeRawRoute(route, shared));
  return paths;
}

/** Returns the tags in the order of their first use. */
function listTags(paths: OpenApiDocument['paths']): object[] {
  const used = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap((operation) => operation.tags),
  );
  return [...new Set(used)].map((name) => ({ name, description: tags[name] ?? '' }));
}

function problemExamples(): Record<string, object> {
  const entries = problemCodes.map((code) => [
    code,
    { summary: problems[code].title, value: exampleProblem(code) },
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
