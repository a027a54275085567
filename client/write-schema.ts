import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTypescript, {
  astToString,
  type OpenAPI3,
  type OperationObject,
  type ResponseObject,
} from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';

/** `npm run openapi` writes the types of the client from `openapi.json` by this. */

const target = fileURLToPath(new URL('src/schema.ts', import.meta.url));

/** Returns the source of the types, and of the version that they are of. */
export async function generateSchema(document: object): Promise<string> {
  const { info } = document as OpenAPI3;
  const nodes = await openapiTypescript(keepSuccesses(document as OpenAPI3), {
    // A member with a default may be left out of a request.
    defaultNonNullable: false,
  });
  const text = [
    '// Written by `npm run openapi` from openapi.json. A test holds the two together.\n',
    '/** The version of the API that these types are of. */',
    `export const apiVersion = '${info.version}';\n`,
    astToString(nodes),
  ].join('\n');
  return format(text, { ...(await resolveConfig(target)), parser: 'typescript' });
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const document = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')) as object;
  writeFileSync(target, await generateSchema(document));
}
