import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTypescript, {
  astToString,
  type OpenAPI3,
  type OperationObject,
  type ResponseObject,
} from 'openapi-typescript';

/**
 * `write-schema.ts HEAD` writes the types of the client from `openapi.json`, below the line HEAD, and the version that they
 * are of. `schema.mjs` runs it when they are missing or of another document.
 */

const target = fileURLToPath(new URL('src/schema.ts', import.meta.url));
const versionFile = fileURLToPath(new URL('src/api-version.ts', import.meta.url));

/** Returns the source of the types. */
async function generateSchema(document: OpenAPI3, head: string): Promise<string> {
  const nodes = await openapiTypescript(keepSuccesses(document), {
    // A member with a default may be left out of a request.
    defaultNonNullable: false,
  });
  return `${head}\n\n${astToString(nodes)}`;
}

/**
 * Leaves out what would only make the types larger: the client throws every other answer as a problem, which is one
 * type, and reads the same headers from all answers.
 */
function keepSuccesses(document: OpenAPI3): OpenAPI3 {
  // Its bodies are those of `Event`.
  const { webhooks: _webhooks, ...copy } = structuredClone(document);
  for (const [path, item] of Object.entries(copy.paths ?? {})) {
    if (!path.startsWith('/v1/')) delete copy.paths![path];
    for (const operation of Object.values(item) as OperationObject[]) {
      const responses = Object.entries(operation.responses ?? {}) as [string, ResponseObject][];
      for (const [, response] of responses) delete response.headers;
      operation.responses = Object.fromEntries(responses.filter(([status]) => status.startsWith('2')));
    }
  }
  const {
    responses: _responses,
    headers: _headers,
    examples: _examples,
    ...components
  } = copy.components ?? {};
  return { ...copy, components };
}

const document = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')) as OpenAPI3;
// Renamed when it is whole, since compilers may read it at the same time.
const draft = `${target}.${process.pid}`;
writeFileSync(draft, await generateSchema(document, process.argv[2] ?? ''));
renameSync(draft, target);
const known = readFileSync(versionFile, 'utf8');
const current = known.replace(/'.*'/, `'${document.info.version}'`);
if (current !== known) writeFileSync(versionFile, current);
