import { z } from 'zod';
import { currentVersion } from '#domain/versions.ts';
import type { ApiVersion } from '#domain/version-change.ts';
import { findAsset, once } from './assets.ts';
import { docsPage } from './docs-page.ts';
import { explainProblem, problemIndexPage, problemPage } from './problem-pages.ts';
import type { ApiDeps } from '../http/deps.ts';
import { parseApiVersion } from '../http/headers.ts';
import { createDocument, type RouteTable } from '../openapi/document.ts';
import { problemSchema } from '../http/problem-schema.ts';
import { problems, ProblemError, type ProblemCode } from '#domain/problems.ts';
import type { RawRequest, RawRoute } from '../http/raw-route.ts';
import type { Answer } from '../http/route.ts';

/** The documents, made from the routes: OpenAPI, a viewer for it, and a page for each problem code. */

const html = 'text/html; charset=utf-8';
const json = 'application/json; charset=utf-8';

/** Pages load files of this service only, and cannot be framed. */
const pageHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
};

const explanation = z
  .strictObject({
    ...problemSchema.pick({ type: true, code: true, title: true, status: true }).shape,
    advice: z.string(),
  })
  .meta({ example: explainProblem('card_declined', 'https://payments.example') });

/**
 * Creates the routes of the documents.
 *
 * @param table returns all routes; it is called at the first request for a document.
 */
export function documentRoutes({ config }: Pick<ApiDeps, 'config'>, table: () => RouteTable): RawRoute[] {
  const outsideIssuer = config.auth.external ? config.auth.issuer : undefined;
  const openApi = once((version: ApiVersion) =>
    Buffer.from(JSON.stringify(createDocument(table(), { version, outsideIssuer }))),
  );
  return [
    {
      method: 'GET',
      path: '/openapi.json',
      access: 'public',
      summary: 'Read this document',
      description: '`API-Version` chooses its version. (Default: the current one)',
      responses: { 200: { description: 'An OpenAPI 3.1 document', types: ['application/json'] } },
      problems: ['unknown_api_version'],
      handle: (request) => Promise.resolve(answerDocument(request, openApi)),
    },
    {
      method: 'GET',
      path: '/docs',
      access: 'public',
      summary: 'Read the documents in a browser',
      responses: { 200: { description: 'A page', types: ['text/html'] } },
      handle: () => Promise.resolve(answer(html, Buffer.from(docsPage()))),
    },
    {
      method: 'GET',
      path: '/docs/{file}',
      access: 'public',
      summary: 'Read a file of the documents',
      responses: {
        200: { description: 'A file', types: ['text/javascript', 'text/css', 'image/svg+xml'] },
      },
      problems: ['not_found'],
      handle: ({ params }) => Promise.resolve(answerAsset(params['file'] ?? '')),
    },
    ...problemRoutes(config.publicUrl, table),
  ];
}

function problemRoutes(publicUrl: string, table: () => RouteTable): RawRoute[] {
  const problemPages = once((code: ProblemCode) => Buffer.from(problemPage(code, table().routes)));
  const explanations = once((code: ProblemCode) =>
    Buffer.from(JSON.stringify(explainProblem(code, publicUrl))),
  );
  return [
    {
      method: 'GET',
      path: '/problems',
      access: 'public',
      summary: 'List the problem codes',
      responses: { 200: { description: 'A page', types: ['text/html'] } },
      handle: () => Promise.resolve(answer(html, Buffer.from(problemIndexPage()))),
    },
    {
      method: 'GET',
      path: '/problems/{code}',
      access: 'public',
      summary: 'Read the meaning of a problem code',
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
