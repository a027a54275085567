import { apiVersions, currentVersion } from '#domain/versions/versions.ts';
import type { OpenApiDocument } from '../openapi/open-api.ts';
import { resolve, type JsonSchema } from '../openapi/json-schema.ts';
import type { Operation } from '../openapi/operations.ts';
import { contents } from './guides.ts';
import { escapeHtml, page, prose } from './html.ts';
import { codeBlock, renderMarkdown } from './markdown.ts';
import { memberLine, schemaList } from './schema-lists.ts';

/** The API reference: a page with every operation, and a page for each, made from the OpenAPI document. */

/** An operation with its place. */
export interface Placed {
  method: string;
  path: string;
  operation: Operation;
}

/** Returns every operation of a document, in its order. */
export function listOperations({ paths }: OpenApiDocument): Placed[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Returns the page of GET /docs/reference. */
export function referencePage(document: OpenApiDocument): string {
  const { version, description } = document.info;
  const tags = document['tags'] as { name: string; description: string }[];
  const operations = listOperations(document);
  const groups = tags.map(({ name, description: words }) => {
    const items = operations.filter(({ operation }) => operation.tags[0] === name);
    return `<h2 id="${name}">${title(name)}</h2>\n<p>${prose(words)}</p>\n<ul class="list">${items.map((item) => operationItem(item, version)).join('\n')}</ul>`;
  });
  return page({
    title: 'API reference – Payments API',
    content: `<h1>API reference</h1>\n${versionLinks('/docs/reference', version)}\n${groups.join('\n')}\n<h2 id="rules">The rules of every operation</h2>\n${renderMarkdown(description)}`,
    contents: contents(),
  });
}

const title = (tag: string) => `${tag.charAt(0).toUpperCase()}${tag.slice(1).replaceAll('-', ' ')}`;

/** Returns the address of the page of an operation. */
export function operationAddress(operationId: string, version: string = currentVersion): string {
  const query = version === currentVersion ? '' : `?version=${version}`;
  return `/docs/reference/${operationId}${query}`;
}

function operationItem({ method, path, operation }: Placed, version: string): string {
  const link = `<a href="${operationAddress(operation.operationId, version)}"><code>${method} ${escapeHtml(path)}</code></a>`;
  return `<li>${link}<p>${prose(operation.summary)}</p></li>`;
}

function versionLinks(address: string, shown: string): string {
  const links = apiVersions.toReversed().map((version) => {
    const mark = version === shown ? ' aria-current="true"' : '';
    return `<a href="${address}${version === currentVersion ? '' : `?version=${version}`}"${mark}>${version}</a>`;
  });
  return `<p class="versions">Version: ${links.join(' ')}</p>`;
}

/** Returns the page of an operation. Returns `null` if the document has none of this name. */
export function operationPage(document: OpenApiDocument, id: string): string | null {
  const placed = listOperations(document).find(({ operation }) => operation.operationId === id);
  if (!placed) return null;
  const { method, path, operation } = placed;
  const parts = [
    `<p class="code"><code>${method} ${escapeHtml(path)}</code></p>\n<h1>${prose(operation.summary)}</h1>`,
    versionLinks(operationAddress(id), document.info.version),
    renderMarkdown((operation['description'] ?? '') as string),
    scopeLine(operation),
    samples(operation),
    parameters(document, operation),
    requestBody(document, operation),
    answers(document, operation),
    '<p><a href="/docs/reference">All operations</a></p>',
  ];
  return page({
    title: `${operation.operationId} – Payments API`,
    content: parts.join('\n'),
    contents: contents(),
  });
}

function scopeLine({ security }: Operation): string {
  const ways = (security ?? []) as Record<string, string[]>[];
  const needed = ways.map((way) => (way['oauth2'] ?? []).map((scope) => `\`${scope}\``).join(' and '));
  if (needed.every((scopes) => scopes === '')) return '';
  return `<p class="code">Needs ${prose(needed.join(', or '))}. <a href="/docs/authentication">Scopes</a></p>`;
}

function samples(operation: Operation): string {
  const found = (operation['x-codeSamples'] ?? []) as { label: string; source: string }[];
  if (found.length === 0) return '';
  const blocks = found.map(
    ({ label, source }, at) =>
      `<details name="samples"${at === 0 ? ' open' : ''}><summary>${label}</summary>${codeBlock(source, label)}</details>`,
  );
  return `<h2 id="samples">Samples</h2>\n<div class="samples">${blocks.join('\n')}</div>`;
}

interface Parameter {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema: JsonSchema;
}

function parameters(document: OpenApiDocument, operation: Operation): string {
  const all = ((operation['parameters'] ?? []) as JsonSchema[]).map(
    (parameter) => find(document, parameter) as unknown as Parameter,
  );
  const groups = ['path', 'query', 'header'].map((place) => {
    const lines = all
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, description, required = false }) => {
        const described = description === undefined ? schema : { ...schema, description };
        return `<li>${memberLine(name, described, required, document.components.schemas)}</li>`;
      });
    return lines.length === 0 ? '' : `<h3>In the ${place}</h3>\n<ul class="members">${lines.join('\n')}</ul>`;
  });
  const text = groups.join('\n').trim();
  return text && `<h2 id="parameters">Parameters</h2>\n${text}`;
}

interface Content {
  schema?: JsonSchema;
  example?: unknown;
  examples?: Record<string, JsonSchema>;
}

function requestBody(document: OpenApiDocument, operation: Operation): string {
  const body = operation['requestBody'] as { content: Record<string, Content> } | undefined;
  if (!body) return '';
  const parts = Object.entries(body.content).map(([type, content]) =>
    describeContent(document, type, content),
  );
  return `<h2 id="body">Body</h2>\n${parts.join('\n')}`;
}

/** Returns the members and an example of a body. */
function describeContent({ components }: OpenApiDocument, type: string, content: Content): string {
  const [first] = Object.values(content.examples ?? {});
  const example = content.example ?? first?.['value'];
  const list = content.schema ? schemaList(content.schema, components.schemas) : '';
  const shown = example === undefined ? '' : codeBlock(toText(example), type);
  return `${list}\n${shown || `<p><code>${type}</code></p>`}`;
}

const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

interface Response {
  description: string;
  headers?: Record<string, JsonSchema>;
  content?: Record<string, Content>;
}

function answers(document: OpenApiDocument, operation: Operation): string {
  const items = Object.entries(operation.responses).map(([status, given]) => {
    const response = find(document, given as JsonSchema) as unknown as Response;
    return Number(status) < 400
      ? describeAnswer(document, status, response)
      : `<h3><span class="status${Number(status) >= 500 ? ' server' : ''}">${status}</span></h3>\n${problemLinks(response.description)}`;
  });
  return `<h2 id="answers">Answers</h2>\n${items.join('\n')}`;
}

function describeAnswer(document: OpenApiDocument, status: string, response: Response): string {
  const bodies = Object.entries(response.content ?? {}).map(([type, content]) =>
    describeContent(document, type, content),
  );
  const headers = Object.entries(response.headers ?? {}).map(([name, header]) => {
    const { description } = find(document, header);
    return `<li><code>${name}</code>${renderMarkdown((description ?? '') as string)}</li>`;
  });
  const fold = `<details><summary>Headers of ${status}</summary><ul class="members">${headers.join('\n')}</ul></details>`;
  return `<h3><span class="status good">${status}</span> ${prose(response.description)}</h3>\n${bodies.join('\n')}${headers.length > 0 ? fold : ''}`;
}

/** Returns the codes of a problem answer with links to their pages. */
function problemLinks(description: string): string {
  return renderMarkdown(description).replaceAll(
    /<code>([a-z_]+)<\/code>(?=:)/g,
    '<a href="/problems/$1"><code>$1</code></a>',
  );
}

/** Returns the component that a reference names, or the value itself. */
function find(document: OpenApiDocument, value: JsonSchema): JsonSchema {
  const ref = value['$ref'];
  if (typeof ref !== 'string') return value;
  if (ref.startsWith('#/components/schemas/')) return resolve(value, document.components.schemas);
  const [kind = '', name = ''] = ref.split('/').slice(2);
  return (document.components[kind] as Record<string, JsonSchema>)[name] ?? {};
}
