import assert from 'node:assert/strict';
import { describedTable } from '#api/described-table.ts';
import { createDocument, createServiceDocument } from '#api/openapi/document.ts';
import { answerHeaders, requestHeaders } from '#api/openapi/headers.ts';
import { apiVersions } from '#domain/versions/versions.ts';
import { exposedHeaders, requestHeaders as allowedHeaders } from '#api/middleware/cors.ts';
import { listNodes, type Node } from './nodes.ts';

type Schema = Record<string, unknown>;

const table = describedTable();
const documents = [
  ...apiVersions.map((version) => [`of ${version}`, createDocument(table, { version })] as const),
  ['of the service', createServiceDocument(table)] as const,
];

const verbs =
  /^(?:list|get|create|update|replace|delete|cancel|capture|attach|detach|rotate|replay|test|issue|introspect|revoke|check|notify|return|search|disable|enable|end|ask)[A-Z]/;

for (const [name, document] of documents) {
  describe(`The document ${name}`, () => {
    const { schemas } = document.components;
    const nodes = listNodes(document);
    const target = ({ $ref }: Schema) => schemas[String($ref).split('/').at(-1) ?? ''] ?? {};
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
    const none = (found: Node[]) =>
      assert.deepEqual(
        found.map(({ at }) => at),
        [],
      );
    const isNamed = ({ at }: Node) => /^\/components\/schemas\/[^/]+$/.test(at);

    it('names each object and each list of values', () => {
      none(nodes.filter((node) => node.value['properties'] && node.value['type'] && !isNamed(node)));
      const inAnOlderVersion = (at: string) => at.includes('/Charge/properties/failure_code/');
      const lists = nodes.filter(({ value }) => Array.isArray(value['enum']) && value['enum'].length > 1);
      none(
        lists.filter(
          (node) =>
            !isNamed(node) && !/\/headers\/|\/content_type$/.test(node.at) && !inAnOlderVersion(node.at),
        ),
      );
    });

    it('names operations by a verb and a resource', () => {
      for (const { operationId } of operations) assert.match(operationId, verbs);
    });

    it('uses each of its components', () => {
      const text = JSON.stringify(document);
      for (const [kind, members] of Object.entries(document.components)) {
        if (kind === 'securitySchemes') continue;
        for (const member of Object.keys(members)) {
          assert.ok(text.includes(`"#/components/${kind}/${member}"`), `${kind}/${member}`);
        }
      }
    });

    it('describes each operation, parameter and property in words', () => {
      const describes = (value: Schema, words: number): boolean => {
        const [choice] = (value['anyOf'] ?? []) as Schema[];
        const text =
          value['description'] ?? target(value)['description'] ?? (choice && target(choice)['description']);
        return typeof text === 'string' && text.split(' ').length >= words;
      };
      for (const operation of operations) assert.ok(describes(operation, 6), operation.operationId);
      none(nodes.filter(({ value }) => value['in'] !== undefined && value['name'] && !describes(value, 3)));
      none(nodes.filter(({ at, value }) => /\/properties\/[^/]+$/.test(at) && !describes(value, 2)));
    });

    it('says of each integer how large it gets', () => {
      const integers = nodes.filter(({ value }) => value['type'] === 'integer');
      none(integers.filter(({ value }) => value['format'] !== 'int64' && value['format'] !== 'int32'));
      const is64 = (schema: string, ...names: string[]) => {
        const properties = schemas[schema]?.['properties'] as Record<string, Schema> | undefined;
        if (!properties) return;
        for (const name of names) {
          const own: Schema = { ...target(properties[name] ?? {}), ...properties[name] };
          assert.equal(own['format'], 'int64', `${schema}.${name}`);
        }
      };
      is64('Charge', 'amount', 'amount_captured', 'amount_refunded');
      is64('Refund', 'amount');
      is64('ExportResult', 'size');
      is64('OperationProgress', 'completed', 'total');
      is64('ChargeSucceededEvent', 'sequence');
    });

    it('writes what can be `null` in one way', () => {
      none(nodes.filter(({ value }) => Array.isArray(value['type']) || 'nullable' in value));
    });

    it('gives each id its pattern, and no long ones', () => {
      const ids = nodes.filter(({ at }) => /\/properties\/(?:id|[a-z_]+_id)$/.test(at));
      const free = /\/(?:ProcessorNotification|TokenIntrospection)\//;
      // An id that may be null is one of two.
      const forms = (value: Schema) => [value, ...((value['anyOf'] ?? []) as Schema[])];
      const hasPattern = (form: Schema) => (form['pattern'] ?? target(form)['pattern']) !== undefined;
      none(ids.filter(({ at, value }) => !free.test(at) && !forms(value).some(hasPattern)));
      none(nodes.filter(({ value }) => (JSON.stringify(value['pattern']) ?? '').length > 60));
    });

    it('gives each union a member that tells apart', () => {
      none(nodes.filter((node) => isNamed(node) && node.value['oneOf'] && !node.value['discriminator']));
    });

    it('gives each request body an example', () => {
      for (const { requestBody, operationId } of operations) {
        const { content = {} } = (requestBody ?? {}) as { content?: Record<string, { example?: unknown }> };
        for (const { example } of Object.values(content)) assert.ok(example !== undefined, operationId);
      }
    });

    it('has one problem, whatever the codes are', () => {
      const bodies = nodes.filter(({ at }) => at.endsWith('/application~1problem+json/schema'));
      none(bodies.filter(({ value }) => value['$ref'] !== '#/components/schemas/Problem'));
      assert.ok(bodies.length > 0);
    });
  });
}

describe('The document of the API', () => {
  const document = createDocument(table);
  const { schemas } = document.components;

  it('says of each resource which one it is', () => {
    const resolve = (schema: Schema): Schema =>
      schemas[String(schema['$ref']).split('/').at(-1) ?? ''] ?? schema;
    const variants = (schema: Schema): Schema[] => {
      const choices = (schema['oneOf'] ?? schema['anyOf']) as Schema[] | undefined;
      return choices ? choices.flatMap((choice) => variants(resolve(choice))) : [schema];
    };
    const lists = Object.entries(schemas).filter(([name]) => name.endsWith('List'));
    assert.ok(lists.length >= 8);
    for (const [name, { properties }] of lists) {
      const { data } = properties as { data: { items: Schema } };
      for (const variant of variants(resolve(data.items))) {
        const { object } = variant['properties'] as { object?: Schema };
        assert.equal(typeof object?.['const'], 'string', name);
      }
    }
  });

  it('links each answer that creates to a read', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      if (!path.startsWith('/v1/')) continue;
      for (const [status, response] of Object.entries(item['post']?.responses ?? {})) {
        if (status === '201' || status === '202') assert.ok('links' in response, `${path} ${status}`);
      }
    }
  });

  it('has a webhook for each type of event', () => {
    const { discriminator } = schemas['Event'] as { discriminator: { mapping: object } };
    const { mapping } = discriminator;
    assert.deepEqual(Object.keys(document['webhooks'] as object), Object.keys(mapping));
    assert.deepEqual(Object.keys(mapping), schemas['EventType']?.['enum']);
  });

  it('describes no header that pages cannot send or read', () => {
    const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase());
    // A page may read these of any answer (Fetch).
    const exposed = new Set([...lower(exposedHeaders), 'cache-control', 'vary']);
    assert.deepEqual(
      lower(answerHeaders).filter((name) => !exposed.has(name)),
      [],
    );
    const allowed = new Set(lower(allowedHeaders));
    assert.deepEqual(
      lower(requestHeaders).filter((name) => !allowed.has(name)),
      [],
    );
  });
});
