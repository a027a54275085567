import assert from 'node:assert/strict';
import { insertAuditEntry } from '#db/access/audit-entries.ts';
import { apiVersions } from '#domain/versions/versions.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import { makeMember } from '../../support/resources/access/members.ts';
import { createCustomer } from '../../support/resources/customers.ts';
import { environment } from '../../support/stack/environment.ts';
import { parseCsv } from '../../support/csv.ts';
import { exportFile, readResult } from '../../support/resources/exports.ts';
import { addClient, createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { refundCharge } from '../../support/resources/refunds.ts';

/** Text that has to be escaped somewhere, and what a spreadsheet would run. */
const awkward = [
  'plain',
  'a "quoted", listed\r\nand broken line',
  '=cmd|"/c calc"!A1',
  '+1',
  '-1',
  '@sum(A1)',
  '\tindented',
  '\rreturned',
  '\n=1+1',
  '＝1+1',
  '＋1',
  '－1',
  '＠sum(A1)',
  'two;=1+1',
  'two; "=1+1"',
  'two\t=1+1;+2;@3',
  'lines\r\n=1+1\n-2',
  'back\\slash / ünïcödé 🧾 \u2028 \u007f \u0001',
  '',
  ' ',
];

const formula = /^[=+\-@\t\n\r＝＋－＠]/;

/** Cells as who takes a semicolon or a tab for the separator reads them: its quotes count where a cell begins. */
function cellsElsewhere(text: string, separator: ';' | '\t'): string[] {
  return text
    .split(/\r\n|\n|\r/)
    .flatMap((line) => line.split(separator))
    .map((cell) => cell.replace(/^[\s"]+/, ''));
}

/** What the export says for a text: an apostrophe before each formula, also of a cell inside. */
function neutral(text: string): string {
  const inside = text.replace(/([;\t\r\n][\s"]*)([=+@＝＋－＠-])/g, "$1'$2");
  return formula.test(text) ? `'${inside}` : inside;
}

async function stockUp(): Promise<Merchant> {
  const merchant = await createMerchant();
  const customer = await createCustomer(merchant, { name: 'Ada' });
  const charges = await Promise.all(
    awkward.map((description, index) =>
      merchant.charge({
        description,
        metadata: { note: description, [`k${index}`]: 'v' },
        ...(index % 2 === 0 && { customer: customer.id, statement_descriptor: '=SHOP "1", x' }),
      }),
    ),
  );
  for (const token of ['tok_declined', 'tok_lost_card', 'tok_incorrect_cvc', 'tok_declined_do_not_retry'])
    await merchant.charge({ payment_method: token });
  await merchant.charge({ capture_method: 'manual' });
  const cancelled = await merchant.charge({ capture_method: 'manual' });
  await merchant.send('POST', `/v1/charges/${cancelled.body.id}:cancel`);
  await refundCharge(merchant, charges[0]!.body.id, { metadata: { '=why': 'a "b"' } });
  await refundCharge(merchant, charges[1]!.body.id, { amount: 1, reason: 'duplicate' });
  const failing = await merchant.charge({ payment_method: 'tok_refund_fails' });
  await refundCharge(merchant, failing.body.id);
  return merchant;
}

describe('The lines of an export', () => {
  let merchant: Merchant;
  before(async () => {
    merchant = await stockUp();
  });

  for (const version of apiVersions) {
    for (const resource of ['charges', 'refunds', 'events']) {
      it(`of ${resource} in ${version} equal each GET, oldest first`, async () => {
        const lines = (await readExport(resource, 'ndjson', version)).trimEnd().split('\n');
        const items = await listAll(resource, version);
        assert.deepEqual(
          lines.map((line) => JSON.parse(line) as unknown),
          items,
        );
        assert.ok(items.length >= 3);
      });

      it(`of ${resource} in ${version} have all values in CSV`, async () => {
        const [header = [], ...rows] = parseCsv(await readExport(resource, 'csv', version));
        const items = await listAll(resource, version);
        const cells = items.map((item) => header.map((name) => readCell(item, name)));
        assert.deepEqual(
          rows.map((row) => row.map(readJson)),
          cells,
        );
      });
    }
  }

  for (const version of apiVersions) {
    it(`of the audit in ${version} equal each GET`, async () => {
      const member = await makeMember((await environment()).db, {
        accountId: merchant.accountId,
        role: 'viewer',
      });
      const by = {
        memberId: member.id,
        accountId: merchant.accountId,
        resourceId: null,
        traceId: '0'.repeat(32),
      };
      const { db } = await environment();
      await insertAuditEntry(
        db,
        { ...by, action: 'sessions.start', address: '203.0.113.7' },
        { status: 200 },
      );
      await insertAuditEntry(db, { ...by, action: 'a.b', reason: '=1+1' });
      await insertAuditEntry(
        db,
        { ...by, memberId: null, name: 'ana', action: 'clients.disable' },
        { status: 200 },
      );
      const lines = (await readExport('audit_entries', 'ndjson', version)).trimEnd().split('\n');
      const [header = [], ...rows] = parseCsv(await readExport('audit_entries', 'csv', version));
      const items = (await listAll('audit-entries', version)).slice(0, lines.length);
      assert.deepEqual(
        lines.map((line) => JSON.parse(line) as unknown),
        items,
      );
      const cells = items.map((item) => header.map((name) => readCell(item, name)));
      assert.deepEqual(
        rows.slice(0, items.length).map((row) => row.map(readJson)),
        cells,
      );
      const actions = items.map(({ action }) => action);
      for (const action of ['refunds.create', 'charges.cancel', 'clients.disable'])
        assert.ok(actions.includes(action));
      assert.ok(!actions.includes('charges.create'));
    });
  }

  it('of the audit need the scope to read it', async () => {
    const reader = await addClient(merchant, ['exports:write', 'charges:read']);
    const { status } = await reader.send('POST', '/v1/exports', { resource: 'audit_entries', format: 'csv' });
    assert.equal(status, 403);
  });

  it('give a spreadsheet no formula and keep numbers unchanged', async () => {
    const text = await readExport('charges', 'csv', '2026-11-01');
    const [header = [], ...rows] = parseCsv(text);
    const cells = rows.flat();
    assert.ok(cells.some((cell) => cell.startsWith("'=")));
    for (const cell of cells) assert.doesNotMatch(cell, formula);
    for (const separator of [';', '\t'] as const) {
      const elsewhere = cellsElsewhere(text, separator);
      assert.ok(
        elsewhere.some((cell) => cell.startsWith("'=1+1")),
        'there is one to be taken for a formula',
      );
      for (const cell of elsewhere) assert.doesNotMatch(cell, /^[=+\-@＝＋－＠]/);
    }
    assert.match(text, /,1000,EUR,/);
    assert.ok(header.includes('amount_captured'));
  });

  it('cut times to milliseconds without rounding, as GET does', async () => {
    const { db } = await environment();
    const own = await createMerchant();
    const { body } = await own.charge();
    for (const micros of ['.000000', '.000999', '.100000', '.123456', '.999999', '.019999']) {
      await db('charges').where('id', body.id).update('updated_at', `2026-03-29T01:59:59${micros}Z`);
      const done = await exportFile(own);
      const line = JSON.parse(await readResult(own, done)) as { updated: string };
      const read = await own.get(`/v1/charges/${body.id}`);
      assert.equal(line.updated, read.body.updated);
    }
  });

  async function readExport(resource: string, format: string, version: ApiVersion): Promise<string> {
    const done = await exportFile(merchant, { resource, format }, { headers: { 'api-version': version } });
    return readResult(merchant, done);
  }

  type Item = Record<string, unknown>;

  /** Of events those that were there before the exports of this test. */
  async function listAll(resource: string, version: ApiVersion): Promise<Item[]> {
    const items: Item[] = [];
    for (let cursor = ''; ;) {
      const query = `limit=100${cursor && `&starting_after=${encodeURIComponent(cursor)}`}`;
      const { body } = await merchant.get<{ data: Item[]; next_cursor: string | null }>(
        `/v1/${resource}?${query}`,
        { headers: { 'api-version': version } },
      );
      items.push(...body.data);
      if (body.next_cursor === null) return withoutOwn(items.toReversed());
      cursor = body.next_cursor;
    }
  }
});

/** The event of the very export came after it. */
function withoutOwn(items: Record<string, unknown>[]): Record<string, unknown>[] {
  const last = items.at(-1);
  return last && String(last['type']).startsWith('operation.') ? items.slice(0, -1) : items;
}

/** Spaces in JSON say nothing. */
function readJson(cell: string): unknown {
  return cell.startsWith('{') ? (JSON.parse(cell) as unknown) : cell;
}

/** The cell for a member: nothing for null, JSON for objects, an apostrophe before a formula. */
function readCell(item: Record<string, unknown>, name: string): unknown {
  const [first = '', ...rest] = name.split('_');
  const nested = item[first];
  const isNested = !(name in item) && rest.length > 0;
  const value = isNested ? (nested as Record<string, unknown> | null)?.[rest.join('_')] : item[name];
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return neutral(text);
}
