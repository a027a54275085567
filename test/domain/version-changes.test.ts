import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { JsonSchema, Resource } from '#domain/versions/version-change.ts';
import {
  bodyFromVersion,
  findDeprecation,
  isApiVersion,
  queryFromVersion,
  schemaInVersion,
  statusesReadAs,
  toVersion,
} from '#domain/versions/versions.ts';

const older = '2026-05-01';
const current = '2026-11-01';
const folder = new URL('../versions/', import.meta.url);
const golden = (version: string, name: string) =>
  JSON.parse(readFileSync(new URL(`${version}/${name}`, folder), 'utf8')) as Resource;

describe('A caller on an older version', () => {
  for (const name of readdirSync(new URL(current, folder))) {
    it(`reads a resource like ${name}`, () => {
      assert.deepEqual(toVersion(older, golden(current, name)), golden(older, name));
    });
  }

  it('reads a late buyer as a decline', () => {
    const failure = { code: 'authentication_expired', decline_code: null, message: 'Late' };
    const charge = { ...golden(current, 'charge.declined.json'), failure };
    const { failure_code: code, failure_message: message } = toVersion(older, charge) as unknown as Record<
      string,
      unknown
    >;
    assert.deepEqual([code, message], ['card_declined', 'Late']);
  });

  it('finds statuses under the names that it reads', () => {
    assert.deepEqual(statusesReadAs(older, 'pending'), ['pending', 'requires_action']);
    assert.deepEqual(statusesReadAs(older, 'succeeded'), ['succeeded']);
    assert.deepEqual(statusesReadAs(current, 'pending'), ['pending']);
  });

  it('finds nothing by a status that it lacks', () => {
    assert.equal(queryFromVersion(older, '/v1/charges', 'status', 'requires_action'), 'none');
    assert.equal(queryFromVersion(older, '/v1/charges', 'status', 'paid'), 'succeeded');
    assert.equal(queryFromVersion(older, '/v1/charges', 'customer', 'paid'), 'paid');
    assert.equal(queryFromVersion(older, '/v1/refunds', 'status', 'paid'), 'paid');
  });

  const bodies: [what: string, route: string, body: unknown, read: unknown][] = [
    [
      'of an export of charges is read by its names',
      '/v1/exports',
      { resource: 'charges', format: 'csv', filter: { status: 'paid', customer: 'cus_1' } },
      { resource: 'charges', format: 'csv', filter: { status: 'succeeded', customer: 'cus_1' } },
    ],
    [
      'keeps a status that both have',
      '/v1/exports',
      { resource: 'charges', filter: { status: 'failed' } },
      { resource: 'charges', filter: { status: 'failed' } },
    ],
    ...[undefined, null, 7, [], {}, { status: 3 }].map((filter): [string, string, unknown, unknown] => [
      `keeps the filter ${JSON.stringify(filter)}`,
      '/v1/exports',
      { resource: 'charges', filter },
      { resource: 'charges', filter },
    ]),
    ...[null, 7, 'paid', ['paid'], { resource: 'refunds', filter: { status: 'paid' } }].map(
      (body): [string, string, unknown, unknown] => [
        `stays ${JSON.stringify(body)}`,
        '/v1/exports',
        body,
        body,
      ],
    ),
    [
      'of another route stays',
      '/v1/charges',
      { resource: 'charges', filter: { status: 'paid' } },
      { resource: 'charges', filter: { status: 'paid' } },
    ],
  ];
  for (const [what, route, body, read] of bodies) {
    it(`sends a body that ${what}`, () => {
      assert.deepEqual(bodyFromVersion(older, route, body), read);
      assert.equal(bodyFromVersion(current, route, body), body);
    });
  }

  it('is shown the statuses that it has', () => {
    const status: JsonSchema = {
      type: 'string',
      enum: ['pending', 'requires_action', 'succeeded'],
      examples: ['succeeded'],
      description: '`pending`: open. `requires_action`: the buyer confirms. `succeeded`: taken.',
    };
    assert.deepEqual(schemaInVersion(older, 'ChargeStatus', status), {
      type: 'string',
      enum: ['pending', 'paid'],
      examples: ['paid'],
      description: '`pending`: open. `paid`: taken.',
    });
    assert.equal(schemaInVersion(older, 'RefundStatus', status), status);
    assert.equal(schemaInVersion(current, 'ChargeStatus', status), status);
  });

  it('is shown the members that it has', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { id: {}, failure: {}, next_action: {}, reference: {} },
      required: ['id', 'failure', 'next_action', 'reference'],
    };
    const { properties, ...rest } = schemaInVersion(older, 'Charge', schema);
    assert.deepEqual(rest, { type: 'object', required: ['id', 'failure_code', 'failure_message'] });
    const codes = ['card_declined', 'processor_timeout', 'not_sent', 'refused'];
    assert.deepEqual(properties, {
      id: {},
      failure_code: {
        anyOf: [{ type: 'string', enum: codes }, { type: 'null' }],
        description: 'Why the charge failed; `null` if it did not.',
      },
      failure_message: {
        anyOf: [{ type: 'string' }, { type: 'null' }],
        description: 'The same for people; do not branch on it.',
      },
    });
  });

  it('has a year from the next version on', () => {
    const sunset = new Date('2027-11-01T00:00:00.000Z');
    assert.deepEqual(findDeprecation(older), { since: new Date('2026-11-01T00:00:00.000Z'), sunset });
    assert.equal(findDeprecation(current), null);
    assert.deepEqual([older, current, '2026-12-01'].map(isApiVersion), [true, true, false]);
  });
});
