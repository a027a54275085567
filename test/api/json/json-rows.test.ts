import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseJson } from '#api/json/json.ts';
import { parseRows, partsOf } from '#api/json/json-rows.ts';
import { createPauses } from '#api/json/pauses.ts';

const parse = (text: string) => parseRows(Buffer.from(text), createPauses());

/** What both ways make of a text; a refusal is its code. */
async function bothWays(text: string): Promise<[unknown, unknown]> {
  const toCode = (error: unknown) => (error as { code?: unknown }).code ?? error;
  const whole = (() => {
    try {
      return parseJson(Buffer.from(text));
    } catch (error) {
      return toCode(error);
    }
  })();
  return [await parse(text).catch(toCode), whole];
}

describe('A body of many rows', () => {
  it('reads as one that is parsed at once', async () => {
    const body = fc.dictionary(fc.string(), fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()));
    await fc.assert(
      fc.asyncProperty(body, fc.nat({ max: 4 }), async (value, indent) => {
        const [rows, whole] = await bothWays(JSON.stringify(value, null, indent));
        assert.deepEqual(rows, whole);
      }),
    );
  });

  const texts = [
    '',
    '{',
    '[]',
    '[[1,2]]',
    '{"a":[1,]}',
    '{"a":[,1]}',
    '{"a":[1,,2]}',
    '{"a":[1 2]}',
    '{"a":[ ]}',
    '{"a":[1}',
    '{"a":[1]]}',
    '{"a":[1],"a":[1]}',
    '{"a":[{"b":1,"b":1}]}',
    '{"a":[{"__proto__":1}]}',
    '{"a":["],\\"["," [",{"b":"]"}]}',
    '{"a":[[[1],[2]],[3]],"b":{"c":[1,2]}}',
    `{"a":[${'['.repeat(40)}${']'.repeat(40)}]}`,
  ];
  for (const text of texts) {
    it(`is taken or refused as ever: ${text.slice(0, 30)}`, async () => {
      const [rows, whole] = await bothWays(text);
      assert.deepEqual(rows, whole);
    });
  }

  it('has each of its values in one part', async () => {
    const parts = [...partsOf(await parse('{"a":[1,{"b":2}],"c":"d"}'))];
    assert.deepEqual(parts, [{ a: null }, [1], [{ b: 2 }], { c: 'd' }]);
  });
});
