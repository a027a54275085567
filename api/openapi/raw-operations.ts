import type { RawResponse, RawRoute } from '../http/raw-route.ts';
import { buildExample } from './examples.ts';
import { describeHeaders, parameterReference } from './headers.ts';
import type { SharedSchemas } from './json-schema.ts';
import { describeParameters, type Operation, type Shared } from './operations.ts';
import { groupByStatus, outsideVersions } from './problem-codes.ts';
import {
  carriedOutside,
  describeContentSchema,
  onEveryAnswer,
  problemResponse,
  rawProblemResponses,
} from './responses.ts';

/** One route outside `/v1` as an operation of a document. */

/** Describes a route outside `/v1`. */
export function describeRawRoute(route: RawRoute, { schemas }: Shared): Operation {
  const own = Object.entries(route.responses ?? {}).map(([status, response]) => [
    status,
    describeRawResponse(Number(status), response, schemas),
  ]);
  const codes = groupByStatus([...outsideVersions, ...(route.problems ?? [])]);
  return {
    operationId: route.operationId,
    tags: [route.tag ?? 'authorization'],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    security: describeSecurity(route),
    parameters: [
      ...(route.params ? describeParameters('path', route.params, schemas) : pathParameters(route.path)),
      ...(route.query ? describeParameters('query', route.query, schemas) : []),
      ...(route.idempotencyKey ? [parameterReference('Idempotency-Key')] : []),
      ...(route.callers === 'processor' ? processorParameters : []),
    ],
    ...(route.body && { requestBody: rawBody(route.body, schemas) }),
    responses: {
      ...rawProblemResponses(codes),
      ...Object.fromEntries(own),
      ...(own.every(([status]) => Number(status) >= 300) && {
        default: problemResponse(['internal_error'], onEveryAnswer),
      }),
    } as Record<string, object>,
  };
}

/** A client may also send its secret in the form. */
function describeSecurity({ access, callers }: RawRoute): object[] {
  if (access !== 'public') return [{ oauth2: [access] }];
  return callers === 'clients' ? [{ client: [] }, {}] : [];
}

function describeRawResponse(
  status: number,
  { description, types, schema, headers = [] }: RawResponse,
  schemas: SharedSchemas,
): object {
  const ofType = (type: string) => {
    if (type !== 'application/json') return { schema: { type: 'string' } };
    return schema ? describeContentSchema(schema, schemas) : {};
  };
  const content = types?.map((type) => [type, ofType(type)]);
  return {
    description,
    headers: describeHeaders({
      ...carriedOutside(status),
      ...Object.fromEntries(headers.map((name) => [name, 'sometimes' as const])),
    }),
    ...(content && { content: Object.fromEntries(content) as object }),
  };
}

/** The headers by which the processor authenticates a notification. */
const processorParameters = [
  {
    name: 'Processor-Timestamp',
    in: 'header',
    required: true,
    description: 'The time of the signature in Unix seconds. It may differ from ours by 5 minutes.',
    schema: { type: 'string', pattern: '^\\d{1,12}$' },
    example: '1793491200',
  },
  {
    name: 'Processor-Signature',
    in: 'header',
    required: true,
    description: '`v1=` and the hex HMAC-SHA256 of `timestamp.body`, with the shared secret.',
    schema: { type: 'string', pattern: '^v1=[0-9a-f]{64}$' },
    example: `v1=${'0'.repeat(64)}`,
  },
];

const described: Readonly<Record<string, string>> = {
  charge: 'A signed reference of the charge, from the link that the processor was given.',
  code: 'The `code` of a problem document.',
  file: 'The name of a file that the pages load.',
  operation: 'The `operationId` of the operation.',
  processor: 'The id of the processor, `prc_…`.',
};

function pathParameters(path: string): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: described[name ?? ''],
    schema: { type: 'string' },
  }));
}

function rawBody({ type, schema }: NonNullable<RawRoute['body']>, schemas: SharedSchemas): object {
  const converted = schemas.convert(schema, 'input');
  const example = buildExample(converted, schemas.all());
  return { required: true, content: { [type]: { schema: converted, example } } };
}
