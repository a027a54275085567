import assert from 'node:assert/strict';
import { createdParameters, createdRange } from '#api/http/list-schemas.ts';
import { parseQuery } from '#api/http/query.ts';
import { firstIdAt } from '#domain/ids.ts';
import { z } from 'zod';

const schema = z.strictObject(createdParameters);
const at = (ms: number) => firstIdAt('charge', Date.parse('2026-11-01T12:00:00.000Z') + ms);

/** Items have whole milliseconds. A bound may be finer, as clocks of other languages give it. */
describe('A filter by time', () => {
  for (const [query, range] of [
    ['created[gt]=2026-11-01T12:00:00.123Z', { from: at(124) }],
    ['created[gt]=2026-11-01T12:00:00.123456Z', { from: at(124) }],
    ['created[gte]=2026-11-01T12:00:00.123Z', { from: at(123) }],
    ['created[gte]=2026-11-01T12:00:00.123000Z', { from: at(123) }],
    ['created[gte]=2026-11-01T12:00:00.123456Z', { from: at(124) }],
    ['created[gte]=2026-11-01T12:00:00.123000001Z', { from: at(124) }],
    ['created[lt]=2026-11-01T12:00:00.123Z', { before: at(123) }],
    ['created[lt]=2026-11-01T12:00:00.123456Z', { before: at(124) }],
    ['created[lte]=2026-11-01T12:00:00.123456Z', { before: at(124) }],
    ['created[lte]=2026-11-01T12:00:00.1Z', { before: at(101) }],
  ] as const) {
    it(`is exact for ${query}`, () => {
      assert.deepEqual(createdRange('charge', parseQuery(schema, query)), range);
    });
  }
});
