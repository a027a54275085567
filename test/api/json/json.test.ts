import assert from 'node:assert/strict';
import fc from 'fast-check';
import { InexactNumber, parseJson, parseNumber, toPointer } from '#api/json/json.ts';

describe('Numbers of a body', () => {
  const exact: [text: string, value: number][] = [
    ['0', 0],
    ['-0', 0],
    ['12', 12],
    ['-7', -7],
    ['1e3', 1000],
    ['1E+3', 1000],
    ['10e-1', 1],
    ['-1200e-2', -12],
    ['0e-999999999999', 0],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ];
  for (const [text, value] of exact) {
    it(`written as ${text} are read as ${value}`, () => assert.ok(Object.is(parseNumber(text), value)));
  }

  const inexact = [
    '1.5',
    '1.0',
    '1.5e1',
    '15e-1',
    '1e-400',
    '1e400',
    '9007199254740992',
    '9007199254740993',
    '1000000000000000000001e-21',
    '1e-99999999999',
  ];
  for (const text of inexact) {
    it(`takes ${text} for no integer`, () => assert.ok(parseNumber(text) instanceof InexactNumber));
  }

  it('are exact however written, or refused if unsafe', () => {
    const digits = fc.oneof(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.bigInt(-2000n, 2000n));
    fc.assert(
      fc.property(digits, fc.integer({ min: -22, max: 22 }), (mantissa, exponent) => {
        const scale = 10n ** BigInt(Math.abs(exponent));
        const isWhole = exponent >= 0 || mantissa % scale === 0n;
        const exact = exponent >= 0 ? mantissa * scale : mantissa / scale;
        const isSafe = isWhole && Number.isSafeInteger(Number(exact)) && BigInt(Number(exact)) === exact;
        const read = parseNumber(`${mantissa}e${exponent}`);
        if (isSafe) assert.equal(read, Number(exact));
        else assert.ok(read instanceof InexactNumber);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('A body that is malformed', () => {
  const bodies: [what: string, body: string | Buffer][] = [
    ['is empty', ''],
    ['is cut short', '{"a":'],
    ['has something behind it', '{"a":1}x'],
    ['has a comma too many', '{"a":1,}'],
    ['is not quoted', '{a:1}'],
    ['has a comment', '{"a":1/*x*/}'],
    ['has a number with a leading zero', '{"a":01}'],
    ['has NaN', '{"a":NaN}'],
    ['is an array', '[1]'],
    ['is a string', '"x"'],
    ['is null', 'null'],
    ['is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['has an overlong encoding', Buffer.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ['begins with a byte order mark', '\ufeff{"a":1}'],
    ['names a member twice', '{"a":1,"a":2}'],
    ['names a member twice with one value', '{"a":1,"b":2,"a":1}'],
    ['names a member twice in two spellings', '{"a":1,"\\u0061":1}'],
    ['names a member twice deep inside', '{"a":[{"b":{"c":1,"c":1}}]}'],
    ['names a member __proto__', '{"__proto__":{"x":1}}'],
    ['names a member __proto__ deep inside', '{"a":{"\\u005f_proto__":1}}'],
    ['is nested deeper than 32 levels', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
    ['is nested until a parser would overflow', '['.repeat(250_000)],
  ];
  for (const [what, body] of bodies) {
    it(`is refused when it ${what}`, () => {
      assert.throws(() => parseJson(Buffer.from(body)), { code: 'malformed_request' });
    });
  }

  it('is not one with colons and braces in strings', () => {
    assert.deepEqual(parseJson(Buffer.from('{"a:{[":":\\"}","b":[{},"]"]}')), {
      'a:{[': ':"}',
      b: [{}, ']'],
    });
  });

  it('is not one with 32 levels of nesting', () => {
    parseJson(Buffer.from(`${'{"a":'.repeat(32)}1${'}'.repeat(32)}`));
  });
});

describe('A body of many values', () => {
  const bodies: [what: string, of: (values: number) => string][] = [
    [
      'entries',
      (values) =>
        `{"a":[${Array(values - 1)
          .fill('1')
          .join()}]}`,
    ],
    ['members', (values) => `{${Array.from({ length: values }, (_, i) => `"m${i}":1`).join()}}`],
    [
      'empty objects',
      (values) =>
        `{"a":[${Array((values - 1) / 2)
          .fill('{}')
          .join()}]}`,
    ],
  ];
  for (const [what, of] of bodies) {
    it(`is refused when it has too many ${what}`, () => {
      assert.throws(() => parseJson(Buffer.from(of(2_101))), { code: 'malformed_request', message: /2000/ });
      parseJson(Buffer.from(of(1_901)));
    });
  }
});

describe('JSON pointers', () => {
  it('are cut when they are long', () => {
    assert.equal(toPointer(['metadata', 'x'.repeat(200_000)]), `/metadata/${'x'.repeat(246)}…`);
    assert.equal(toPointer(Array(100_000).fill('a')).length, 257);
  });

  it('escape what RFC 6901 escapes', () => {
    assert.equal(toPointer(['metadata', 'a/b~c', 0]), '/metadata/a~1b~0c/0');
  });
});
