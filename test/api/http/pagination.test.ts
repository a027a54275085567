import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { z } from 'zod';
import type { ListReads } from '#api/limits/list-reads.ts';
import { createPages, pageParameters, type PageQuery } from '#api/http/pagination.ts';
import { parseQuery } from '#api/http/query.ts';
import type { Account } from '#db/access/accounts.ts';

const reads = {} as ListReads;
const pages = createPages([{ id: '', key: randomBytes(32) }], reads);
const schema = z.strictObject({ ...pageParameters, status: z.string().optional() });
const shape = { item: (id: string) => ({ id }), position: (id: string) => id };

function listRequest(search: string, path = '/v1/charges', accountId = 'acct_1') {
  const query: PageQuery = parseQuery(schema, search);
  return { account: { id: accountId } as Account, path, url: search ? `${path}?${search}` : path, query };
}

function toNextCursor(search: string): string {
  const { body } = pages.present(
    listRequest(search),
    ['ch_3', 'ch_2', 'ch_1'].concat(Array(100).fill('ch_0')),
    shape,
  );
  return (body as { next_cursor: string }).next_cursor;
}

describe('A page', () => {
  it('names the position that the next one begins behind', () => {
    const request = listRequest('limit=2');
    const answer = pages.present(request, ['ch_3', 'ch_2', 'ch_1'], shape);
    const { next_cursor: cursor, ...rest } = answer.body as { next_cursor: string };
    assert.deepEqual(rest, { data: [{ id: 'ch_3' }, { id: 'ch_2' }], has_more: true });
    assert.equal(answer.headers?.['Link'], `</v1/charges?limit=2&starting_after=${cursor}>; rel="next"`);
    assert.deepEqual(pages.read(listRequest(`limit=5&starting_after=${cursor}`)), {
      limit: 5,
      after: 'ch_2',
    });
  });

  it('is the last where no row is left', () => {
    assert.deepEqual(pages.present(listRequest('limit=2'), ['ch_2', 'ch_1'], shape), {
      status: 200,
      headers: {},
      body: { data: [{ id: 'ch_2' }, { id: 'ch_1' }], has_more: false, next_cursor: null },
    });
  });

  it('has 20 items where the caller names no limit', () => {
    assert.deepEqual(pages.read(listRequest('')), { limit: 20, after: null });
  });

  for (const limit of ['1', '99', '100']) {
    it(`may have the limit ${limit}`, () =>
      assert.equal(pages.read(listRequest(`limit=${limit}`)).limit, Number(limit)));
  }

  for (const limit of ['0', '101', '-1', '1.5', '1e1', '01', ' 5', 'ten', '', '9999999999999999999']) {
    it(`is refused with limit "${limit}"`, () => {
      assert.throws(() => listRequest(`limit=${encodeURIComponent(limit)}`), { code: 'invalid_parameter' });
    });
  }
});

describe('A cursor', () => {
  const cursor = toNextCursor('limit=3&status=pending');

  it('continues its list even with another limit', () => {
    assert.equal(pages.read(listRequest(`status=pending&starting_after=${cursor}`)).after, 'ch_1');
  });

  const foreign: [what: string, request: ReturnType<typeof listRequest>][] = [
    ['another account', listRequest(`status=pending&starting_after=${cursor}`, '/v1/charges', 'acct_2')],
    ['another list', listRequest(`status=pending&starting_after=${cursor}`, '/v1/refunds')],
    ['another filter', listRequest(`status=failed&starting_after=${cursor}`)],
    ['no filter', listRequest(`starting_after=${cursor}`)],
  ];
  for (const [what, request] of foreign) {
    it(`is refused when used for ${what}`, () => {
      assert.throws(() => pages.read(request), { code: 'invalid_cursor' });
    });
  }

  it('is refused when it was made under another key', () => {
    const request = listRequest(`status=pending&starting_after=${cursor}`);
    assert.throws(() => createPages([{ id: '', key: randomBytes(32) }], reads).read(request), {
      code: 'invalid_cursor',
    });
  });

  const forged = [
    '',
    'ch_01J8Z3K4M5N6P7Q8R9S0T1V2W3',
    `${cursor}=`,
    `${cursor}A`,
    cursor.slice(1),
    `${cursor} `,
    '%',
  ];
  for (const text of forged) {
    it(`is refused when forged as "${text.replace(cursor, 'cursor')}"`, () => {
      const request = listRequest(`status=pending&starting_after=${encodeURIComponent(text)}`);
      assert.throws(() => pages.read(request), { code: 'invalid_cursor' });
    });
  }

  it('is refused with any one character changed', () => {
    fc.assert(
      fc.property(
        fc.nat(cursor.length - 1),
        fc.constantFrom('A', 'B', 'w', 'z', '0', '9', '-', '_'),
        (index, letter) => {
          fc.pre(cursor[index] !== letter);
          const changed = cursor.slice(0, index) + letter + cursor.slice(index + 1);
          const request = listRequest(`status=pending&starting_after=${changed}`);
          assert.throws(() => pages.read(request), { code: 'invalid_cursor' });
        },
      ),
    );
  });

  it('carries any position there and back', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (position) => {
        const { body } = pages.present(listRequest('limit=1'), [position, 'more'], shape);
        const next = (body as { next_cursor: string }).next_cursor;
        assert.equal(pages.read(listRequest(`starting_after=${next}`)).after, position);
      }),
    );
  });
});
