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
import type { RawRequest, RawRoute } from '../http/raw-route.ts';
import type { Answer } from '../http/route.ts';

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
export function documentRoutes({ config }: Pick<ApiDeps, 'config'>, table: () => RouteTable): RawRoute[] {
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
    {
      method: 'GET',
      path: '/openapi.json',
      access: 'public',
      operationId: 'getOpenApiDocument',
      tag: 'documents',
      isForOperators: true,
      summary: 'Read the document of the API',
      description: '`API-Version` chooses its version. (Default: the current one)',
      responses: {
        200: { description: 'An OpenAPI 3.1 document', types: ['application/json'], schema: openApiSchema },
      },
      problems: ['unknown_api_version'],
      handle: (request) => Promise.resolve(answerDocument(request, openApi)),
    },
    {
      method: 'GET',
      path: '/openapi-service.json',
      access: 'public',
      operationId: 'getServiceDocument',
      tag: 'documents',
      isForOperators: true,
      summary: 'Read the document of the service itself: health, documents and processors',
      description: 'It has no versions, and is not for merchants.',
      responses: {
        200: { description: 'An OpenAPI 3.1 document', types: ['application/json'], schema: openApiSchema },
      },
      handle: () => Promise.resolve(answer(json, serviceDocument('current'))),
    },
    ...referenceRoutes(documents),
    ...guideRoutes(),
    ...problemRoutes(config.publicUrl, table),
  ];
}

type Documents = (version: ApiVersion) => OpenApiDocument;

/** Returns the routes of the reference and the search, which know every operation. */
function referenceRoutes(documents: Documents): RawRoute[] {
  const reference = once((version: ApiVersion) => Buffer.from(referencePage(documents(version))));
  const operations = once((version: ApiVersion) => createOperationPages(documents(version)));
  const searchable = once((version: ApiVersion) => makeSearchable(listEntries(documents(version))));
  return [
    {
      method: 'GET',
      path: '/docs/search',
      access: 'public',
      operationId: 'searchDocs',
      cost: 4,
      tag: 'documents',
      isForOperators: true,
      summary: 'Search the guides, the operations and the problem codes',
      description: '`q` is what to search for: at most 100 characters.',
      responses: { 200: { description: 'A page', types: ['text/html'] } },
      handle({ search }) {
        const query = (new URLSearchParams(search).get('q') ?? '').slice(0, 100);
        return answerPage(Buffer.from(searchPage(searchable(currentVersion), query)));
      },
    },
    {
      method: 'GET',
      path: '/docs/reference',
      access: 'public',
      operationId: 'getReference',
      tag: 'documents',
      isForOperators: true,
      summary: 'Read the reference of all operations in a browser',
      description: '`version` chooses the API version. (Default: the current one)',
      responses: { 200: { description: 'A page', types: ['text/html'] } },
      problems: ['unknown_api_version'],
      handle: ({ search }) => answerPage(reference(askedVersion(search))),
    },
    {
      method: 'GET',
      path: '/docs/reference/{operation}',
      access: 'public',
      operationId: 'getOperationReference',
      tag: 'documents',
      isForOperators: true,
      summary: 'Read the reference of one operation in a browser',
      description: '`version` chooses the API version. (Default: the current one)',
      responses: { 200: { description: 'A page', types: ['text/html'] } },
      problems: ['not_found', 'unknown_api_version'],
      handle({ params, search }) {
        const found = operations(askedVersion(search))(params['operation'] ?? '');
        if (found === null) throw new ProblemError('not_found');
        return answerPage(found);
      },
    },
  ];
}

/** Returns a function that finds the page of an operation, and makes it once; `null` if there is no such operation. */
function createOperationPages(document: OpenApiDocument): (id: string) => Buffer | null {
  const ids = new Set(listOperations(document).map(({ operation }) => operation.operationId));
  const makePage = once((id: string) => Buffer.from(operationPage(document, id) ?? ''));
  return (id) => (ids.has(id) ? makePage(id) : null);
}

/** @throws {ProblemError} `unknown_api_version` */
function askedVersion(search: string): ApiVersion {
  const asked = new URLSearchParams(search).get('version');
  return asked === null ? currentVersion : parseApiVersion(asked);
}

function guideRoutes(): RawRoute[] {
  const pages = once((name: Guide) => Buffer.from(guidePage(name)));
  return [
    {
      method: 'GET',
      path: '/docs',
      access: 'public',
      operationId: 'getDocsPage',
      tag: 'documents',
      isForOperators: true,
      summary: 'Read the quickstart in a browser',
      description: 'The page by which a new user takes a first payment.',
      responses: { 200: { description: 'A page', types: ['text/html'] } },
      handle: () => answerPage(pages(guideNames[0]!)),
    },
    {
      method: 'GET',
      path: '/docs/{file}',
      access: 'public',
      operationId: 'getDocsFile',
      tag: 'documents',
      isForOperators: true,
      summary: 'Read a guide, or a file of the documents',
      description: 'A guide is a page. The other files are loaded by pages.',
      responses: {
        200: { description: 'A file', types: ['text/html', 'text/javascript', 'text/css', 'image/svg+xml'] },
      },
      problems: ['not_found'],
      handle({ params: { file = '' } }) {
        return isGuide(file) ? answerPage(pages(file)) : Promise.resolve(answerAsset(file));
      },
    },
  ];
}

const answerPage = (page: Buffer) => Promise.resolve(answer(html, page));

function problemRoutes(publicUrl: string, table: () => RouteTable): RawRoute[] {
  const index = once((_only: 'all') => Buffer.from(problemIndexPage()));
  const problemPages = once((code: ProblemCode) => Buffer.from(problemPage(code, table().routes)));
  const explanations = once((code: ProblemCode) =>
    Buffer.from(JSON.stringify(explainProblem(code, publicUrl))),
  );
  return [
    {
      method: 'GET',
      path: '/problems',
      access: 'public',
      operationId: 'listProblems',
      tag: 'documents',
      isForOperators: true,
      summary: 'List the problem codes',
      description: 'A page with every code of a problem document, and its meaning.',
      responses: { 200: { description: 'A page', types: ['text/html'] } },
      handle: () => answerPage(index('all')),
    },
    {
      method: 'GET',
      path: '/problems/{code}',
      access: 'public',
      operationId: 'getProblem',
      tag: 'documents',
      isForOperators: true,
      summary: 'Read the meaning of a problem code',
      description:
        '`Accept` chooses: a page for people, or JSON for programs. `type` of a problem document leads here.',
      responses: {
        200: {
          description: 'The explanation',
          types: ['application/json', 'text/html'],
          schema: explanation,
        },
      },
      problems: ['not_found', 'not_acceptable'],
      handle: (request) => Promise.resolve(answerProblemCode(request, problemPages, explanations)),
    },
  ];
}

function answerDocument(request: RawRequest, openApi: (version: ApiVersion) => Buffer): Answer {
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

function answerProblemCode(request: RawRequest, pages: Pages, explanations: Pages): Answer {
  const code = request.params['code'] ?? '';
  if (!Object.hasOwn(problems, code)) throw new ProblemError('not_found');
  const known = code as ProblemCode;
  switch (request.prefers(['text/html', 'application/json'])) {
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
