import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import openapiTypescript, {
  astToString,
  type OpenAPI3,
  type OperationObject,
  type ResponseObject,
} from 'openapi-typescript';

/**
 * `write-schema.ts DOCUMENT TARGET HEAD` writes the types of an OpenAPI document of this repository, below the line HEAD.
 * `schema.mjs` runs it when they are missing or of another document.
 */

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
    if (!/^\/(?:v1|operator)\//.test(path)) delete copy.paths![path];
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

const [source = '', target = '', head = ''] = process.argv.slice(2);
const document = JSON.parse(readFileSync(source, 'utf8')) as OpenAPI3;
// Renamed when it is whole, since compilers may read it at the same time.
const draft = `${target}.${process.pid}`;
writeFileSync(draft, await generateSchema(document, head));
renameSync(draft, target);
