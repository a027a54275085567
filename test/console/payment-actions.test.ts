import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Sealing } from '#console/sealing.ts';
import type { RefundResource } from '#domain/refunds.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { refundCharge } from '../support/resources/refunds.ts';
import { createReader, signInReader, type PageReader } from '../support/page-reader.ts';
import { findSealed, startConsole } from '../support/stack/console.ts';

describe('An action on a payment', () => {
  let merchant: Merchant;
  let support: PageReader;
  before(async () => {
    merchant = await createMerchant();
    support = await signInReader({ accountId: merchant.accountId, role: 'support' });
  });

  const listRefunds = async (charge: string) =>
    (await merchant.get<{ data: RefundResource[] }>(`/v1/refunds?charge=${charge}`)).body.data;

  async function previewRefund(charge: string, amount: string) {
    const path = `/payments/${charge}/refund`;
    const preview = await support.preview(path, { amount, reason: 'duplicate' });
    assert.equal(preview.status, 200, preview.text);
    return { path, preview, form: { amount, step: 'send', sealed: findSealed(preview.html) } };
  }

  it('says what a refund will do, then does it', async () => {
    const { body: charge } = await merchant.charge({ amount: 1999 });
    const form = await support.get(`/payments/${charge.id}/refund`);
    assert.match(form.html, /name="amount"[^>]* value="19\.99"/);
    assert.match(form.text, /At most 19\.99 EUR is left/);
    const { path, preview, form: fields } = await previewRefund(charge.id, '5.00');
    assert.match(preview.text, /5\.00 EUR of 19\.99 EUR goes back to the card of the buyer, tok_visa/);
    assert.match(preview.text, /14\.99 EUR can be refunded after this/);
    assert.match(preview.text, /told refund\.processed/);
    assert.match(preview.text, /"amount": 500/);
    assert.deepEqual(await listRefunds(charge.id), []);
    const { status, location } = await support.post(path, fields);
    assert.equal(status, 303);
    const [refund] = await listRefunds(charge.id);
    assert.equal(location, `/refunds/${refund?.id}`);
    assert.deepEqual([refund?.amount, refund?.reason], [500, 'duplicate']);
  });

  it('is done once by two clicks, a reload and back', async () => {
    const { body: charge } = await merchant.charge({ amount: 1000 });
    const { path, form } = await previewRefund(charge.id, '4');
    const answers = await Promise.all([support.post(path, form), support.post(path, form)]);
    answers.push(await support.post(path, form));
    const refunds = await listRefunds(charge.id);
    assert.equal(refunds.length, 1);
    const done = answers.filter(({ status }) => status === 303);
    assert.ok(done.length >= 2);
    for (const { location } of done) assert.equal(location, `/refunds/${refunds[0]?.id}`);
    // A duplicate that comes while the first is under way is not known yet, and never a refusal.
    for (const { status } of answers) assert.ok(status === 303 || status === 504, `${status}`);
  });

  it('has one key, however often its preview is shown', async () => {
    const { body: charge } = await merchant.charge({ amount: 1000 });
    const path = `/payments/${charge.id}/refund`;
    const { html } = await support.get(path);
    const draft = /name="draft" value="([^"]+)"/.exec(html)?.[1] ?? '';
    // "Back" leads to the preview, which the browser sends for again.
    for (let visit = 0; visit < 2; visit += 1) {
      const preview = await support.post(path, { amount: '4', step: 'preview', draft });
      const sent = await support.post(path, { step: 'send', sealed: findSealed(preview.html) });
      assert.equal(sent.status, 303);
    }
    assert.equal((await listRefunds(charge.id)).length, 1);
    const foreign = await support.post(`/payments/${charge.id}/capture`, { step: 'preview', draft });
    assert.equal(foreign.status, 409);
  });

  it('is refused with a form of yesterday', async () => {
    const bytes = randomBytes(32);
    const own = await startConsole({ settings: { CONSOLE_KEY: bytes.toString('base64') } });
    try {
      const person = createReader(await own.signIn({ accountId: merchant.accountId, role: 'support' }));
      const { body: charge } = await merchant.charge({ amount: 1000 });
      const path = `/payments/${charge.id}/refund`;
      const { html: preview } = await person.preview(path, { amount: '4' });
      const sealing = new Sealing([{ id: '1', bytes }]);
      const content = await sealing.open<{ at: number }>('form', findSealed(preview));
      assert.ok(content);
      const sealed = await sealing.seal('form', { ...content, at: content.at - 86_400_000 });
      const { status, text, html } = await person.post(path, { amount: '4', step: 'send', sealed });
      assert.equal(status, 409);
      assert.match(text, /more than an hour old, so nothing was sent/);
      assert.match(html, /name="amount"[^>]* value="4"/);
      assert.deepEqual(await listRefunds(charge.id), []);
    } finally {
      await own.stop();
    }
  });

  it('says at the field what amount is wrong', async () => {
    const { body: charge } = await merchant.charge({ amount: 1000 });
    for (const [amount, fault] of [
      ['10.01', 'At most 10.00 EUR is left to refund.'],
      ['5,00', 'Write an amount of EUR, such as 5.00.'],
      ['', 'Write an amount of EUR'],
    ] as const) {
      const answer = await support.preview(`/payments/${charge.id}/refund`, { amount });
      assert.equal(answer.status, 422);
      assert.ok(answer.text.includes(fault), answer.text);
    }
  });

  it('captures a part, and releases the rest', async () => {
    const { body: charge } = await merchant.charge({ amount: 1000, capture_method: 'manual' });
    const path = `/payments/${charge.id}/capture`;
    const preview = await support.preview(path, { amount: '7.50' });
    assert.match(preview.text, /7\.50 EUR is taken.*2\.50 EUR is released.*this cannot be undone/);
    const { status, location } = await support.post(path, { step: 'send', sealed: findSealed(preview.html) });
    assert.deepEqual([status, location], [303, `/payments/${charge.id}`]);
    const { body } = await merchant.get(`/v1/charges/${charge.id}`);
    assert.deepEqual([body.status, body.amount_captured], ['succeeded', 750]);
  });

  it('cancels what was only reserved', async () => {
    const { body: charge } = await merchant.charge({ capture_method: 'manual' });
    const path = `/payments/${charge.id}/cancel`;
    const preview = await support.get(path);
    assert.match(preview.text, /10\.00 EUR was reserved and is released.*This cannot be undone/);
    const { status } = await support.post(path, { step: 'send', sealed: findSealed(preview.html) });
    assert.equal(status, 303);
    assert.equal((await merchant.get(`/v1/charges/${charge.id}`)).body.status, 'cancelled');
  });

  it('undoes a refund', async () => {
    const { body: charge } = await merchant.charge();
    const { body: refund } = await refundCharge(merchant, charge.id, { amount: 300 });
    const path = `/refunds/${refund.id}/undo`;
    const preview = await support.get(path);
    assert.match(preview.text, /refund of 3\.00 EUR is taken back.*can be undone until/);
    assert.doesNotMatch(preview.text, /cannot be undone/);
    const { status, location } = await support.post(path, { step: 'send', sealed: findSealed(preview.html) });
    assert.deepEqual([status, location], [303, `/payments/${charge.id}`]);
    assert.equal((await listRefunds(charge.id))[0]?.status, 'reversed');
  });

  it('makes an export of what the list shows', async () => {
    await merchant.charge({ amount: 4321, reference: 'export-me' });
    const list = await support.get('/payments?reference=export-me');
    const link = /href="(\/payments\/export\?[^"]*)"/.exec(list.html)?.[1]?.replaceAll('&amp;', '&');
    assert.ok(link);
    const form = await support.get(link);
    assert.match(form.html, /name="reference"[^>]* value="export-me"/);
    const preview = await support.preview('/payments/export', {
      format: 'csv',
      reference: 'export-me',
      from: '2026-01-01',
      to: '2026-01-31',
    });
    assert.match(preview.text, /payments with from 2026-01-01, to 2026-01-31, reference export-me/);
    assert.match(preview.text, /"gte": "2026-01-01T00:00:00\.000Z", "lt": "2026-02-01T00:00:00\.000Z"/);
    const { status, location } = await support.post('/payments/export', {
      step: 'send',
      sealed: findSealed(preview.html),
    });
    assert.equal(status, 303);
    assert.match(location ?? '', /^\/operations\/op_/);
  });

  it('is refused where a role may not take it', async () => {
    const { body: charge } = await merchant.charge();
    const viewer = await signInReader({ accountId: merchant.accountId, role: 'viewer' });
    for (const path of [
      `/payments/${charge.id}/refund`,
      `/payments/${charge.id}/cancel`,
      '/payments/export',
    ]) {
      assert.equal((await viewer.get(path)).status, 403, path);
      assert.equal((await viewer.preview(path, { amount: '1' })).status, 403, path);
    }
    // Support has no scope that makes a charge, whatever a page offers.
    assert.ok(!support.session.scopes.has('charges:write'));
    const { form } = await previewRefund(charge.id, '1');
    const other = await viewer.post(`/payments/${charge.id}/refund`, form);
    assert.equal(other.status, 403);
    assert.deepEqual(await listRefunds(charge.id), []);
  });
});
