import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describedTable } from '#api/described-table.ts';
import { createDocument, createServiceDocument, describeTable } from '#api/openapi/document.ts';
import type { OpenApiDocument } from '#api/openapi/open-api.ts';
import { apiVersion } from '#client/src/index.ts';
import { problems, type ProblemCode } from '#domain/problems.ts';
import { apiVersions } from '#domain/versions/versions.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { Contract, type Exchange } from '../../support/documented.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

interface Content {
  schema?: object;
  example?: unknown;
  examples?: Record<string, { $ref: string }>;
}

interface Response {
  $ref?: string;
  description: string;
  headers: Record<string, { $ref: string }>;
  content?: Record<string, Content>;
}

interface Found {
  name: string;
  operation: OpenApiDocument['paths'][string][string];
}

const listOperations = ({ paths }: OpenApiDocument): Found[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );

/** How operations end: told in the `error` of an envelope that is itself a 200, and never the answer to a request. */
const ofOperations: ProblemCode[] = [
  'operation_cancelled',
  'operation_failed',
  'operation_snapshot_lost',
  'operation_terminated',
];

describe('openapi.json', () => {
  const table = describedTable();
  const document = createDocument(table);
  const whole = describeTable(table);

  it('is what `npm run openapi` makes of the routes', () => {
    assert.deepEqual(JSON.parse(read('openapi.json')), JSON.parse(JSON.stringify(document)));
    const service = createServiceDocument(table);
    assert.deepEqual(JSON.parse(read('openapi-service.json')), JSON.parse(JSON.stringify(service)));
  });

  it('is of the version that the client asks for', () => {
    assert.equal(apiVersion, document.info.version);
  });

  it('describes every route, under a name of its own', () => {
    const described = [document, createServiceDocument(table)].flatMap(listOperations);
    const served = table.routes.map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(described.map(({ name }) => name).toSorted(), served.toSorted());
    const ids = described.map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.match(id, /^[a-z][A-Za-z0-9]+$/);
  });

  it('says of every route its answers and its scope', () => {
    for (const { name, operation } of listOperations(document)) {
      const success = Object.keys(operation.responses).some((status) => /^[23]/.test(status));
      assert.ok(success, `${name} says nothing of a success`);
      assert.ok(operation.summary, name);
      if (name.includes(' /v1/')) assert.match(JSON.stringify(operation['security']), /oauth2/, name);
    }
  });

  it('shows every problem code by status, with an example', () => {
    const { responses } = whole.components as unknown as { responses: Record<string, Response> };
    const seen = new Set<string>();
    const inspect = (status: string, response: Response, name: string) => {
      const resolved = response.$ref ? responses[response.$ref.split('/').at(-1) ?? ''] : response;
      const examples = Object.keys(resolved?.content?.['application/problem+json']?.examples ?? {});
      for (const code of examples as ProblemCode[]) {
        seen.add(code);
        // `default` is any other status.
        if (status !== 'default') assert.equal(String(problems[code].status), status, `${name}: ${code}`);
      }
    };
    for (const { name, operation } of listOperations(whole)) {
      for (const [status, response] of Object.entries(operation.responses)) {
        inspect(status, response as Response, name);
      }
    }
    inspect('405', responses['UnsupportedMethod'] as Response, 'any path');
    const { examples } = whole.components as unknown as { examples: Record<string, { value: unknown }> };
    for (const code of seen) assert.ok(examples[code]?.value, code);
    // What nobody can be told must not be in the catalogue.
    assert.deepEqual([...seen, ...ofOperations].toSorted(), Object.keys(problems).toSorted());
  });

  for (const version of apiVersions) {
    describe(`of ${version}`, () => {
      const own = createDocument(table, { version });
      const ajv = new Ajv2020({ strict: false, allErrors: true });
      addFormats.default(ajv);
      ajv.addSchema(own, 'openapi');

      it('has no reference to a missing part', () => {
        const text = JSON.stringify(own);
        for (const [, ref = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
          const target = ref.split('/').reduce<unknown>((at, step) => (at as never)?.[step], own);
          assert.ok(target, ref);
        }
      });

      it('gives examples that its own schemas accept', () => {
        const contents = (value: unknown): Content[] => {
          if (typeof value !== 'object' || value === null) return [];
          const inner = Object.values(value).flatMap(contents);
          return 'schema' in value && 'example' in value ? [value as Content, ...inner] : inner;
        };
        const all = contents(own);
        assert.ok(all.length > 50);
        for (const { schema, example } of all) {
          const isValid = ajv.compile(
            JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object,
          );
          assert.ok(isValid(example), `${JSON.stringify(example)}: ${ajv.errorsText(isValid.errors)}`);
        }
      });
    });
  }

  it('of an older version has its schemas and parameters', () => {
    const old = createDocument(table, { version: '2026-05-01' });
    const { Charge, ChargeStatus } = old.components.schemas;
    const members = Object.keys(Charge?.['properties'] as object);
    assert.deepEqual(
      ['failure', 'failure_code', 'failure_message'].map((name) => members.includes(name)),
      [false, true, true],
    );
    assert.ok((ChargeStatus as { enum: string[] }).enum.includes('paid'));
    const parameters = old.paths['/v1/charges']?.['get']?.['parameters'];
    assert.match(JSON.stringify(parameters), /"name":"status".*ChargeStatus/);
    assert.doesNotMatch(JSON.stringify(old), /"advice"|DeclineAdvice/);
  });
});

describe('GET /openapi.json', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  it('is the document, for anyone', async () => {
    const response = await fetch(`${api.url}/openapi.json`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.deepEqual(await response.json(), JSON.parse(read('openapi.json')));
  });

  it('is of the version that is asked for', async () => {
    const headers = { 'api-version': '2026-05-01' };
    const response = await fetch(`${api.url}/openapi.json`, { headers });
    assert.equal(response.headers.get('api-version'), '2026-05-01');
    assert.equal(((await response.json()) as OpenApiDocument).info.version, '2026-05-01');
    const unknown = await fetch(`${api.url}/openapi.json`, { headers: { 'api-version': 'latest' } });
    assert.equal(unknown.status, 400);
  });

  it('names an outside issuer where tokens come from one', async () => {
    const env = { AUTH_ISSUER: 'https://issuer.example', AUTH_AUDIENCE: 'payments' };
    const { securitySchemes } = createDocument(describedTable(), { outsideIssuer: env.AUTH_ISSUER })
      .components as unknown as { securitySchemes: { oauth2: object } };
    assert.deepEqual(securitySchemes.oauth2, {
      type: 'openIdConnect',
      openIdConnectUrl: 'https://issuer.example/.well-known/openid-configuration',
    });
  });
});

describe('The check of answers against openapi.json', () => {
  const document = createDocument(describedTable());
  const contract = new Contract(describeTable(describedTable()));
  const created = document.paths['/v1/charges']?.['post']?.responses['201'] as Response | undefined;
  const charge = created?.content?.['application/json']?.example as Record<string, unknown>;
  const headers = {
    'trace-id': '0'.repeat(32),
    'api-version': '2026-11-01',
    'cache-control': 'private, no-cache',
    vary: 'Accept',
    'content-type': 'application/json; charset=utf-8',
    'ratelimit-limit': '1',
    'ratelimit-remaining': '1',
    'ratelimit-reset': '1',
    location: `/v1/charges/${String(charge['id'])}`,
  };
  const faults = (changes: Partial<Exchange> & { body?: object; without?: string; with?: object }) => {
    const given = new Headers({ ...headers, ...changes.with });
    if (changes.without) given.delete(changes.without);
    const text = JSON.stringify(changes.body ?? charge);
    return contract.listFaults({
      method: 'POST',
      path: '/v1/charges',
      status: 201,
      headers: given,
      text,
      ...changes,
    });
  };

  it('is content with one that is as described', () => {
    assert.deepEqual(faults({}), []);
  });

  it('names a status that is not described', () => {
    assert.match(faults({ status: 418 }).join(), /^The operation has 201, 202, 400, /);
  });

  it('names a path or operation that is not described', () => {
    assert.deepEqual(faults({ path: '/v1/chargers' }), ['There is no such path.']);
    assert.deepEqual(faults({ method: 'PUT' }), ['There is no such operation.']);
  });

  it('names a header that is missing, wrong or undescribed', () => {
    assert.deepEqual(faults({ without: 'location' }), ['The header Location is missing.']);
    assert.deepEqual(faults({ with: { 'trace-id': 'x' } }), ['The header Trace-Id is x.']);
    assert.deepEqual(faults({ with: { allow: 'GET' } }), ['The header allow is not described.']);
  });

  it('names a missing, unknown or invalid member', () => {
    const { captured_at, ...less } = charge;
    assert.equal(typeof captured_at, 'string');
    assert.match(faults({ body: less }).join(), /required property 'captured_at'/);
    assert.match(faults({ body: { ...charge, fee: 1 } }).join(), /"additionalProperty":"fee"/);
    assert.match(faults({ body: { ...charge, amount: '1999' } }).join(), /^\/amount must be integer/);
    assert.match(faults({ body: { ...charge, status: 'paid' } }).join(), /^\/status must be equal to one of/);
  });

  it('names media types and codes the status lacks', () => {
    assert.match(faults({ with: { 'content-type': 'text/html' } }).join(), /^Its type is text\/html/);
    const problem = {
      status: 409,
      with: { 'content-type': 'application/problem+json' },
      without: 'location',
    };
    const body = {
      type: 'https://payments.example/problems/not_found',
      code: 'not_found',
      title: 'x',
      status: 409,
      detail: 'x',
      instance: '/v1/charges',
      trace_id: '0'.repeat(32),
    };
    assert.match(faults({ ...problem, body }).join(), /^\/code must be equal to one of/);
    assert.deepEqual(faults({ ...problem, body: { ...body, code: 'idempotency_key_in_progress' } }), []);
  });
});
