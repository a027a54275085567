import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { sharedConsole, type TestConsole, type Visitor } from '../support/stack/console.ts';

describe('The operations of the console', () => {
  let on: TestConsole;
  let merchant: Merchant;
  let support: Visitor;
  before(async () => {
    on = await sharedConsole();
    merchant = await createMerchant();
    support = await on.signIn({ accountId: merchant.accountId, role: 'support' });
    for (let amount = 1; amount < 4; amount += 1) await merchant.charge({ amount: amount * 100 });
  });

  /** Makes an export, waits for its end, and returns the path of its page. */
  async function makeExport(values: Record<string, string> = {}): Promise<string> {
    const { status, headers } = await support.act('/operations/new-export', values);
    assert.equal(status, 303);
    const path = headers.get('location') ?? '';
    await eventually('the export is done', async () => (await support.get(path)).html.includes('SHA-256'));
    return path;
  }

  it('exports, and passes the file on', async () => {
    const path = await makeExport({ resource: 'charges', format: 'ndjson' });
    const { html } = await support.get(path);
    const file = await support.get(`${path}/result`);
    assert.equal(file.status, 200);
    assert.equal(file.html.trimEnd().split('\n').length, 3);
    const hash = createHash('sha256').update(file.html).digest('hex');
    assert.ok(html.includes(hash), 'the page shows the hash of the file');
    assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="op_\w+\.ndjson"$/);
    assert.match(html, /succeeded/);
    assert.doesNotMatch(html, /data-live/, 'what has ended is not asked for again');
  });

  it('continues a download that was cut', async () => {
    const path = await makeExport();
    const whole = await support.get(`${path}/result`);
    const etag = whole.headers.get('etag') ?? '';
    const part = await support.get(`${path}/result`, { range: 'bytes=10-19', 'if-range': etag });
    assert.deepEqual([part.status, part.html], [206, whole.html.slice(10, 20)]);
    assert.equal(part.headers.get('content-range'), `bytes 10-19/${whole.html.length}`);
    const beyond = await support.get(`${path}/result`, { range: 'bytes=999999-' });
    assert.equal(beyond.status, 416);
    assert.equal(beyond.headers.get('content-range'), `bytes */${whole.html.length}`);
    const changed = await support.get(`${path}/result`, { range: 'bytes=10-19', 'if-range': '"other"' });
    assert.deepEqual([changed.status, changed.html], [200, whole.html]);
  });

  it('fills in all that an export was asked for', async () => {
    const again = async (path: string, values: Record<string, string>) => {
      const { status, headers } = await support.act(path, values);
      assert.equal(status, 303);
      const page = headers.get('location') ?? '';
      await eventually('the export is done', async () => /Export again/.test((await support.get(page)).html));
      const { html } = await support.get(page);
      const href = /href="([^"]+)"[^>]*>\s*Export again/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
      return { href, form: (await support.get(href)).html };
    };
    const days = { from: '2026-03-01', to: '2026-03-31' };
    const charges = { format: 'ndjson', status: 'succeeded', reference: '<6735>', amount: '19.99', ...days };
    for (const [path, values] of [
      ['/payments/export', { ...charges, currency: 'EUR' }],
      ['/operations/new-export', { resource: 'refunds', format: 'csv', status: 'processed', ...days }],
      ['/operations/new-export', { resource: 'events', format: 'csv', type: 'charge.succeeded' }],
    ] as const) {
      const { href, form } = await again(path, values);
      const query = Object.fromEntries(new URLSearchParams(href.slice(path.length)));
      assert.deepEqual(query, values, `${href} leads to ${path}`);
      for (const value of Object.values(days)) {
        assert.equal(form.includes(`value="${value}"`), 'from' in values, value);
      }
    }
  });

  it('exports the audit for those who may read it', async () => {
    assert.doesNotMatch((await support.get('/operations/new-export')).html, /audit_entries/);
    const developer = await on.signIn({ accountId: merchant.accountId, role: 'developer' });
    assert.match((await developer.get('/operations/new-export')).html, /value="audit_entries"/);
    const values = { resource: 'audit_entries', format: 'csv' };
    const preview = await developer.preview('/operations/new-export', values);
    assert.match(preview.html, /All entries of the audit there are now/);
    const { status, headers } = await developer.act('/operations/new-export', values);
    assert.equal(status, 303);
    const path = headers.get('location') ?? '';
    await eventually('the export is done', async () => (await developer.get(path)).html.includes('SHA-256'));
    assert.match((await developer.get(`${path}/result`)).html, /sessions?\.|exports\.create/);
  });

  it('keeps times of an export that are no days', async () => {
    const time = '2026-03-01T12:30:00.000Z';
    const { html } = await support.preview('/operations/new-export', {
      from: time,
      to: '2026-03-02T00:00:00Z',
    });
    assert.match(html, /made from 2026-03-01T12:30:00.000Z before 2026-03-02T00:00:00Z/);
    assert.match(
      (await support.get(`/operations/new-export?from=${time}`)).html,
      /type="text"[^>]*name="from"/,
    );
  });

  it('shows what will be exported, and its faults', async () => {
    const preview = await support.preview('/operations/new-export', {
      resource: 'refunds',
      format: 'csv',
      from: '2026-03-01',
      to: '2026-03-31',
    });
    assert.match(preview.html, /made from 2026-03-01 to the end of 2026-03-31/);
    assert.match(preview.html, /2026-04-01T00:00:00.000Z/, 'the last day is in it');
    const wrong = await support.preview('/operations/new-export', { from: '2026-03-02', to: '2026-03-01' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.html, /must not be before the first day/);
  });

  it('lists operations, and narrows them by status', async () => {
    const path = await makeExport();
    const list = await support.get('/operations?type=export&status=succeeded');
    assert.ok(list.html.includes(`href="${path}"`));
    assert.match(
      (await support.get('/operations?status=failed')).html,
      /No operation has this type and status/,
    );
  });

  it('cancels nothing that has ended', async () => {
    const path = await makeExport();
    assert.ok(!(await support.get(path)).html.includes(`${path}/cancel`), 'there is no button');
    const preview = await support.preview(`${path}/cancel`);
    assert.match(preview.html, /It has ended already/);
  });

  it('lets viewers look, and start nothing', async () => {
    const path = await makeExport();
    const viewer = await on.signIn({ accountId: merchant.accountId, role: 'viewer' });
    const { status, html } = await viewer.get(path);
    assert.equal(status, 200);
    assert.doesNotMatch(html, /Export again/);
    assert.doesNotMatch((await viewer.get('/operations')).html, /New export/);
    assert.equal((await viewer.get('/operations/new-export')).status, 403);
  });
});
