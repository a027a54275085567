import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describedTable } from '#api/described-table.ts';
import { createDocument } from '#api/openapi/document.ts';
import {
  apiVersions,
  currentVersion,
  findDeprecation,
  queryFromVersion,
  toVersion,
} from '#domain/versions/versions.ts';
import type { ApiVersion, Resource } from '#domain/versions/version-change.ts';
import { chargeResources } from '../versions/charges.ts';

const folder = new URL('../versions/', import.meta.url);
const namesIn = (version: ApiVersion) => readdirSync(new URL(version, folder)).toSorted();
const golden = (version: ApiVersion, name: string) =>
  JSON.parse(readFileSync(new URL(`${version}/${name}`, folder), 'utf8')) as Resource;

interface Schema {
  properties?: { object?: { const?: string } };
}

const isNamedAfter = (name: string, object: string | undefined) =>
  name.toLowerCase() === object?.replaceAll('_', '');

/** The documents' schemas of resources in one version, by what `object` says. */
function readSchemas(version: ApiVersion) {
  const document = createDocument(describedTable(), { version });
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const { schemas } = document.components as unknown as { schemas: Record<string, Schema> };
  const named = Object.entries(schemas).flatMap(([name, { properties }]) =>
    // Others show a resource with more than it has, or less.
    isNamedAfter(name, properties?.object?.const) ? [[properties?.object?.const ?? '', name] as const] : [],
  );
  return new Map(
    named.map(([object, name]) => [
      object,
      {
        members: Object.keys(schemas[name]?.properties ?? {}).toSorted(),
        validate: ajv.compile({ $ref: `openapi#/components/schemas/${name}` }),
      },
    ]),
  );
}

describe('A resource', () => {
  const names = namesIn(currentVersion);

  it('of every kind has a file in every version', () => {
    const kinds = new Set(names.map((name) => golden(currentVersion, name).object));
    assert.deepEqual([...kinds].toSorted(), [...readSchemas(currentVersion).keys()].toSorted());
    for (const version of apiVersions) assert.deepEqual(namesIn(version), names, version);
  });

  for (const [name, resource] of chargeResources) {
    it(`reads in the current version like ${name}`, () => {
      const advice = 'run `node --import tsx test/versions/write.ts`, and look at the difference';
      assert.deepEqual(golden(currentVersion, name), resource, advice);
    });
  }

  for (const version of apiVersions) {
    describe(`of ${version}`, () => {
      const schemas = readSchemas(version);
      for (const name of names) {
        it(`reads like ${name}, as its schema says`, () => {
          const shown = toVersion(version, golden(currentVersion, name));
          assert.deepEqual(shown, golden(version, name));
          const schema = schemas.get(shown.object);
          assert.ok(schema?.validate(shown), JSON.stringify(schema?.validate.errors));
          assert.deepEqual(Object.keys(shown).toSorted(), schema?.members);
        });
      }
    });
  }

  it('stays unchanged when shown in an older version', () => {
    const charge = golden(currentVersion, 'charge.succeeded.json');
    const before = structuredClone(charge);
    toVersion('2026-05-01', charge);
    assert.deepEqual(charge, before);
  });
});

describe('A filter', () => {
  const cases: [version: ApiVersion, route: string, value: string, current: string][] = [
    ['2026-11-01', '/v1/charges', 'succeeded', 'succeeded'],
    ['2026-11-01', '/v1/charges', 'paid', 'paid'],
    ['2026-05-01', '/v1/charges', 'paid', 'succeeded'],
    ['2026-05-01', '/v1/charges', 'failed', 'failed'],
    // That version has no such status: it must not be found under the newer name.
    ['2026-05-01', '/v1/charges', 'succeeded', 'paid'],
    ['2026-05-01', '/v1/refunds', 'paid', 'paid'],
  ];
  for (const [version, route, value, current] of cases) {
    it(`status=${value} of ${route} in ${version} is ${current}`, () => {
      assert.equal(queryFromVersion(version, route, 'status', value), current);
    });
  }

  it('of another parameter is never rewritten', () => {
    assert.equal(queryFromVersion('2026-05-01', '/v1/charges', 'customer', 'paid'), 'paid');
  });
});

describe('A version', () => {
  it('works for twelve months after the next deprecates it', () => {
    const { since, sunset } = findDeprecation('2026-05-01') ?? {};
    assert.equal(since?.toISOString(), '2026-11-01T00:00:00.000Z');
    assert.equal(sunset?.toISOString(), '2027-11-01T00:00:00.000Z');
  });

  it('that is current is not deprecated; every other is', () => {
    for (const version of apiVersions)
      assert.equal(findDeprecation(version) === null, version === currentVersion, version);
  });
});
