import { z } from 'zod';
import { currentVersion } from '#domain/versions/versions.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import { findAsset, once } from './assets.ts';
import { guideNames, guidePage, isGuide, type Guide } from './guides.ts';
import { listOperations, operationPage, referencePage } from './reference-pages.ts';
import { listEntries, makeSearchable, searchPage } from './search.ts';
import { explainProblem, problemIndexPage, problemPage } from './problem-pages.ts';
import type { ApiDeps } from '../http/deps.ts';
import { parseApiVersion } from '../http/headers.ts';
import { readPublicPath } from '#http/middleware/public-path.ts';
import { createDocument, createServiceDocument, type RouteTable } from '../openapi/document.ts';
import type { OpenApiDocument } from '../openapi/open-api.ts';
import { problemSchema } from '../http/problem-schema.ts';
import { problems, ProblemError, type ProblemCode } from '#domain/problems.ts';
import { defineRoute, type Answer, type Route, type StrangerRequest } from '../http/route.ts';

/** The documents: guides, the OpenAPI document and pages made from it, and a page for each problem code. */

const html = 'text/html; charset=utf-8';
const json = 'application/json; charset=utf-8';

/** Pages load files of this service only, and cannot be framed. */
const pageHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
};

const explanation = z
  .strictObject({
    ...problemSchema.pick({ type: true, code: true, title: true, status: true }).shape,
    advice: z.string().describe('What to do.'),
  })
  .meta({
    id: 'ProblemExplanation',
    example: explainProblem('card_declined', 'https://payments.example'),
  });

const openApiSchema = z
  .looseObject({ openapi: z.string().describe('The version of the specification.') })
  .meta({ id: 'OpenApiDocument', example: { openapi: '3.1.1' } });

/**
 * Creates the routes of the documents.
 *
 * @param table returns all routes; it is called at the first request for a document.
 */
export function documentRoutes({ config }: Pick<ApiDeps, 'config'>, table: () => RouteTable): Route[] {
  const outsideIssuer = config.auth.external ? config.auth.issuer : undefined;
  const publicPath = readPublicPath(config.publicUrl);
  const documents = once((version: ApiVersion) =>
    createDocument(table(), { version, outsideIssuer, publicPath }),
  );
  const openApi = once((version: ApiVersion) => Buffer.from(JSON.stringify(documents(version))));
  const serviceDocument = once((_only: 'current') =>
    Buffer.from(JSON.stringify(createServiceDocument(table(), { publicPath }))),
  );
  return [
    publicRoute({
      path: '/openapi.json',
      operationId: 'getOpenApiDocument',
      summary: 'Read the document of the API',
      description: '`API-Version` chooses its version. (Default: the current one)',
      responses: { 200: { description: 'An OpenAPI 3.1 document', schema: openApiSchema } },
      problems: ['unknown_api_version'],
      handle: (request) => Promise.resolve(answerDocument(request, openApi)),
    }),
    publicRoute({
      path: '/openapi-service.json',
      operationId: 'getServiceDocument',
      summary: 'Read the document of the service itself: health, documents and processors',
      description: 'It has no versions, and is not for merchants.',
      responses: { 200: { description: 'An OpenAPI 3.1 document', schema: openApiSchema } },
      handle: () => Promise.resolve(answer(json, serviceDocument('current'))),
    }),
    ...referenceRoutes(documents),
    ...guideRoutes(),
    ...problemRoutes(config.publicUrl, table),
  ];
}

/** Returns a route that anyone may read. (Default of its answers: a page) */
function publicRoute<Params extends z.ZodType = z.ZodType<unknown>>(
  route: Omit<Route<'anyone', Params>, 'caller' | 'access' | 'method' | 'tag' | 'responses'> &
    Partial<Pick<Route, 'responses'>>,
): Route {
  const responses = { 200: { description: 'A page', types: ['text/html'] } };
  return defineRoute({ responses, ...route, caller: 'anyone', method: 'GET', tag: 'documents' });
}

type Documents = (version: ApiVersion) => OpenApiDocument;

/** Returns the routes of the reference and the search, which know every operation. */
function referenceRoutes(documents: Documents): Route[] {
  const reference = once((version: ApiVersion) => Buffer.from(referencePage(documents(version))));
  const operations = once((version: ApiVersion) => createOperationPages(documents(version)));
  const searchable = once((version: ApiVersion) => makeSearchable(listEntries(documents(version))));
  return [
    publicRoute({
      path: '/docs/search',
      operationId: 'searchDocs',
      cost: 4,
      summary: 'Search the guides, the operations and the problem codes',
      description: '`q` is what to search for: at most 100 characters.',
      handle({ query }) {
        const asked = (query.get('q') ?? '').slice(0, 100);
        return answerPage(Buffer.from(searchPage(searchable(currentVersion), asked)));
      },
    }),
    publicRoute({
      path: '/docs/reference',
      operationId: 'getReference',
      summary: 'Read the reference of all operations in a browser',
      description: '`version` chooses the API version. (Default: the current one)',
      problems: ['unknown_api_version'],
      handle: ({ query }) => answerPage(reference(askedVersion(query))),
    }),
    publicRoute({
      path: '/docs/reference/{operation}',
      operationId: 'getOperationReference',
      summary: 'Read the reference of one operation in a browser',
      description: '`version` chooses the API version. (Default: the current one)',
      params: z.object({ operation: z.string().describe('The `operationId` of the operation.') }),
      problems: ['unknown_api_version'],
      handle({ params, query }) {
        const found = operations(askedVersion(query))(params.operation);
        if (found === null) throw new ProblemError('not_found');
        return answerPage(found);
      },
    }),
  ];
}

/** Returns a function that finds the page of an operation, and makes it once; `null` if there is no such operation. */
function createOperationPages(document: OpenApiDocument): (id: string) => Buffer | null {
  const ids = new Set(listOperations(document).map(({ operation }) => operation.operationId));
  const makePage = once((id: string) => Buffer.from(operationPage(document, id) ?? ''));
  return (id) => (ids.has(id) ? makePage(id) : null);
}

/** @throws {ProblemError} `unknown_api_version` */
function askedVersion(query: URLSearchParams): ApiVersion {
  const asked = query.get('version');
  return asked === null ? currentVersion : parseApiVersion(asked);
}

function guideRoutes(): Route[] {
  const pages = once((name: Guide) => Buffer.from(guidePage(name)));
  return [
    publicRoute({
      path: '/docs',
      operationId: 'getDocsPage',
      summary: 'Read the quickstart in a browser',
      description: 'The page by which a new user takes a first payment.',
      handle: () => answerPage(pages(guideNames[0]!)),
    }),
    publicRoute({
      path: '/docs/{file}',
      operationId: 'getDocsFile',
      summary: 'Read a guide, or a file of the documents',
      description: 'A guide is a page. The other files are loaded by pages.',
      responses: {
        200: { description: 'A file', types: ['text/html', 'text/javascript', 'text/css', 'image/svg+xml'] },
      },
      params: z.object({ file: z.string().describe('The name of a file that the pages load.') }),
      handle({ params: { file } }) {
        return isGuide(file) ? answerPage(pages(file)) : Promise.resolve(answerAsset(file));
      },
    }),
  ];
}

const answerPage = (page: Buffer) => Promise.resolve(answer(html, page));

function problemRoutes(publicUrl: string, table: () => RouteTable): Route[] {
  const index = once((_only: 'all') => Buffer.from(problemIndexPage()));
  const problemPages = once((code: ProblemCode) => Buffer.from(problemPage(code, table().routes)));
  const explanations = once((code: ProblemCode) =>
    Buffer.from(JSON.stringify(explainProblem(code, publicUrl))),
  );
  return [
    publicRoute({
      path: '/problems',
      operationId: 'listProblems',
      summary: 'List the problem codes',
      description: 'A page with every code of a problem document, and its meaning.',
      handle: () => answerPage(index('all')),
    }),
    publicRoute({
      path: '/problems/{code}',
      operationId: 'getProblem',
      summary: 'Read the meaning of a problem code',
      description:
        '`Accept` chooses: a page for people, or JSON for programs. `type` of a problem document leads here.',
      params: z.object({ code: z.string().describe('The `code` of a problem document.') }),
      responses: {
        200: {
          description: 'The explanation',
          types: ['application/json', 'text/html'],
          schema: explanation,
        },
      },
      problems: ['not_acceptable'],
      handle: (request) => Promise.resolve(answerProblemCode(request, problemPages, explanations)),
    }),
  ];
}

function answerDocument(request: StrangerRequest, openApi: (version: ApiVersion) => Buffer): Answer {
  const asked = request.headers['api-version'];
  const version = asked === undefined ? currentVersion : parseApiVersion(asked);
  return answer(json, openApi(version), { 'API-Version': version, Vary: 'API-Version' });
}

function answerAsset(file: string): Answer {
  const asset = findAsset(file);
  if (!asset) throw new ProblemError('not_found');
  return answer(asset.type, asset.bytes);
}

type Pages = (code: ProblemCode) => Buffer;

function answerProblemCode(
  { params: { code }, prefers }: StrangerRequest<{ code: string }>,
  pages: Pages,
  explanations: Pages,
): Answer {
  if (!Object.hasOwn(problems, code)) throw new ProblemError('not_found');
  const known = code as ProblemCode;
  switch (prefers(['text/html', 'application/json'])) {
    case 'text/html':
      return answer(html, pages(known), { Vary: 'Accept' });
    case 'application/json':
      return answer(json, explanations(known), { Vary: 'Accept' });
    default:
      throw new ProblemError('not_acceptable', { detail: 'Accept text/html or application/json.' });
  }
}

function answer(type: string, bytes: Buffer, headers: Record<string, string> = {}): Answer {
  const cached = { 'Content-Type': type, 'Cache-Control': 'public, max-age=300' };
  return { status: 200, headers: { ...cached, ...pageHeaders, ...headers }, body: bytes };
}
