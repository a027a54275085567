import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { calls, type Answer } from './cases.ts';

/** Makes the bytes of answers: examples come from `openapi.json`, so that they are what the service would say. */

export const file = Buffer.from(
  Array.from({ length: 10_000 }, (_line, number) => `${number}`.padStart(9, '0')).join('\n') + '\n',
);
export const fileSha256 = createHash('sha256').update(file).digest('hex');
const fileTag = `"${fileSha256.slice(0, 16)}"`;

export interface Rendered {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

export interface Asked {
  /** Where the server is. */
  url: string;
  path: string;
  range: string | undefined;
}

export function render(answer: Answer, asked: Asked): Rendered {
  const { status, headers, body } = answer.file
    ? renderFile(answer.file, answer.ignores_range ? { range: undefined } : asked)
    : renderBody(answer, asked);
  const given = Object.entries(answer.headers ?? {}).map(([name, value]) => [name, fill(value, asked)]);
  return { status, headers: { ...headers, ...Object.fromEntries(given) }, body };
}

function renderBody(answer: Answer, asked: Asked): Rendered {
  const { status = 200, text } = answer;
  const content = buildContent(answer, status, asked.path);
  const type = answer.problem ? 'application/problem+json' : 'application/json; charset=utf-8';
  if (text !== undefined) return { status, headers: {}, body: Buffer.from(text) };
  if (content === undefined) return { status, headers: {}, body: Buffer.alloc(0) };
  const body = Buffer.from(fill(JSON.stringify(content), asked));
  return { status, headers: { 'Content-Type': type, 'Trace-Id': traceId }, body };
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

function buildContent(answer: Answer, status: number, path: string): unknown {
  if (answer.problem) return { ...buildProblem(answer.problem, status, path), ...answer.with };
  if (answer.example) return { ...readExample(answer.example), ...answer.with };
  if (answer.operation) return buildOperation(answer.operation);
  return answer.body;
}

function buildProblem(code: string, status: number, instance: string): object {
  const type = `https://payments.example/problems/${code}`;
  return { type, code, title: code, status, detail: 'As the case says.', instance, trace_id: traceId };
}

function buildOperation(status: 'running' | 'succeeded'): object {
  const isDone = status === 'succeeded';
  const response = {
    // The service may know itself by another address than the client does, and by another path.
    href: `{url}/behind/a/path/v1/exports/${calls.operation}/result?expires=1893456000&signature=abc`,
    content_type: 'text/csv; charset=utf-8',
    size: file.length,
    sha256: '{sha256}',
    expires_at: '2030-01-01T00:00:00.000Z',
  };
  const { error: _error, response: _response, ...operation } = readExample('getExport');
  return { ...operation, id: calls.operation, status, done: isDone, ...(isDone && { response }) };
}

/** As RFC 9110 §14: a range from a byte on, which a server may ignore. */
function renderFile(kind: 'whole' | 'damaged', { range }: Pick<Asked, 'range'>): Rendered {
  const bytes = Buffer.from(file);
  if (kind === 'damaged') bytes[5] = 0;
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
  const headers = { 'Content-Type': 'text/csv; charset=utf-8', ETag: fileTag, 'Accept-Ranges': 'bytes' };
  if (from === 0) return { status: 200, headers, body: bytes };
  const contentRange = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
  return { status: 206, headers: { ...headers, 'Content-Range': contentRange }, body: bytes.subarray(from) };
}

function fill(text: string, { url }: Asked): string {
  return text
    .replaceAll('{url}', url)
    .replaceAll('{sha256}', fileSha256)
    .replaceAll('{in_two_seconds}', new Date(Date.now() + 2_000).toUTCString());
}

interface Media {
  example?: object;
  examples?: Record<string, { value?: object; $ref?: string }>;
}

interface Document {
  paths: Record<
    string,
    Record<string, { operationId?: string; responses: Record<string, { content?: Record<string, Media> }> }>
  >;
  components: { examples?: Record<string, { value?: object }> };
}

const document = JSON.parse(
  readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'),
) as Document;

/** Returns the first example of an operation's success. */
function readExample(operationId: string): Record<string, unknown> {
  const operation = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .find((each) => each.operationId === operationId);
  const success = Object.entries(operation?.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1];
  const media = success?.content?.['application/json'];
  const named = Object.values(media?.examples ?? {})[0];
  const example = media?.example ?? named?.value ?? resolve(named?.$ref);
  if (!example) throw new Error(`openapi.json has no example for the success of ${operationId}`);
  return example as Record<string, unknown>;
}

function resolve(ref: string | undefined): object | undefined {
  return document.components.examples?.[ref?.split('/').at(-1) ?? '']?.value;
}
