import assert from 'node:assert/strict';
import { beginReconciliation, endReconciliation } from '#db/operator/reconciliations.ts';
import { toWorkflowAddress } from '#console/service/words.tsx';
import { newId } from '#db/new-id.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { refundCharge } from '../support/resources/refunds.ts';
import { sharedConsole, type TestConsole, type Visitor } from '../support/stack/console.ts';
import { takePicture } from '../support/pictures.ts';

const reason = 'The processor says that it has decided';

describe('The service screen', () => {
  let env: Environment;
  let on: TestConsole;
  let operator: Visitor;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    on = await sharedConsole();
    operator = await on.signIn({ accountId: null, role: 'operator' });
    merchant = await createMerchant();
  });
  after(() => env.clearFaults());

  const see = async (path: string): Promise<string> => {
    const { status, html } = await operator.get(path);
    assert.equal(status, 200, html);
    return html;
  };

  /** The first link of a page whose address begins so, as a person would follow it. */
  const findLink = (html: string, start: string): string => {
    const found = [...html.matchAll(/href="([^"]+)"/g)].map(([, address = '']) => address);
    const link = found.find((address) => address.startsWith(start));
    assert.ok(link, `${start} in ${found.join(' ')}`);
    return link;
  };

  it('says when each check has run, if nothing is wrong', async () => {
    await plant([]);
    const html = await see('/service');
    assert.match(html, /Needs a person \(0\)/);
    assert.match(html, /Nothing needs a person<\/span>: swept <(?:time|span)/);
    assert.match(html, /reconciled <time/);
    for (const words of ['Reconcile…', 'Sweep now…', 'Mends itself', 'Numbers of the last hour'])
      assert.ok(html.includes(words), words);
    // A minute's figures are there once it is over.
    assert.match(html, /Answers of the API|The API has answered nothing in the last hour/);
  });

  describe('of a refund that the processor does not decide', () => {
    let refund: string;
    before(async () => {
      const { body: charge } = await merchant.charge();
      await env.stageFault({ route: 'refunds', mode: 'timeout', when: 'before', times: 1_000 });
      const answer = await refundCharge(
        merchant,
        charge.id,
        { amount: 100 },
        { headers: { prefer: 'respond-async' } },
      );
      refund = answer.body.id;
      await env
        .db('refunds')
        .where({ id: refund })
        .update({ created_at: new Date(Date.now() - 41 * 60_000) });
    });

    it('leads to its cause in three clicks', async () => {
      await eventually('its step has failed', async () =>
        (await see(`/service/unknown-outcomes/${refund}`)).includes('processor_timeout'),
      );
      const service = await see('/service');
      assert.match(service, /refund undecided/);
      await takePicture('service', on.url, service);
      const path = findLink(service, `/service/unknown-outcomes/${refund}`);
      const page = await eventually('the failing step is shown', async () => {
        const html = await see(path);
        return html.includes('resolveRefund') && html;
      });
      assert.match(page, /problems\/processor_timeout/);
      await takePicture('unknown-outcome', on.url, page);
    });

    it('asks now, with a reason, once', async () => {
      const service = await see('/service');
      const path = findLink(service, `/service/unknown-outcomes/${refund}/ask`);
      assert.equal((await operator.preview(path, { reason: '' })).status, 422);
      const preview = await operator.preview(path, { reason });
      assert.match(preview.html, /is told to ask the processor now/);
      await env.clearFaults();
      const { status, headers } = await operator.act(path, { reason });
      assert.deepEqual([status, headers.get('location')], [303, `/service/unknown-outcomes/${refund}`]);
      await eventually('the outcome is known', async () =>
        (await see(`/service/unknown-outcomes/${refund}`)).includes('is known'),
      );
      const audit = await see(`/service/audit?actor=${operator.session.member.id}`);
      assert.ok(audit.includes('operator.unknown-outcomes.ask') && audit.includes(reason));
    });
  });

  it('leads from a charge captured twice to what to do', async () => {
    const { body: charge } = await merchant.charge({ amount: 1999 });
    await plant(
      [{ code: 'captured_twice', of: charge.id, detail: 'the ledger shows 2 captures', repaired: false }],
      1234,
    );
    const service = await see('/service');
    assert.match(service, /captured twice/);
    assert.match(service, /19\.99 EUR/);
    assert.match(service, /not all was examined/);
    const page = await see(findLink(service, '/service/reconciliations/rec_'));
    assert.match(page, /Refund one of them at the processor/);
    assert.match(page, /docs\/operations\.md/);
    assert.match(page, /Examined all.*no: 1,234 possible differences are left\. Settle these, then run/s);
    await plant([]);
    const settled = await see(
      findLink(await see('/service/reconciliations'), '/service/reconciliations/rec_'),
    );
    assert.doesNotMatch(settled, /Examined all/);
  });

  it('disables an account behind a preview', async () => {
    const list = await see('/service/accounts');
    assert.ok(list.includes(merchant.accountId));
    const path = findLink(await see(`/service/accounts/${merchant.accountId}`), '/service/accounts/acct_');
    assert.match((await operator.preview(path, { reason })).html, /no webhook leaves/);
    assert.equal((await operator.act(path, { reason })).status, 303);
    const page = await see(`/service/accounts/${merchant.accountId}`);
    assert.match(page, /disabled/);
    assert.equal((await operator.act(path.replace('disable', 'enable'), { reason })).status, 303);
  });

  it('leads to the workflow in the Temporal UI', () => {
    const id = 'charge/acct_1/order 7';
    const of = 'charge%2Facct_1%2Forder%207';
    const ui = 'https://temporal.example';
    assert.equal(toWorkflowAddress(id, ui), `${ui}/namespaces/payments/workflows/${of}`);
    assert.equal(toWorkflowAddress(id, `${ui}/namespaces/shop`), `${ui}/namespaces/shop/workflows/${of}`);
    assert.equal(toWorkflowAddress(id, null), null);
  });

  it('is not there for a member of an account', async () => {
    const developer = await on.signIn({ accountId: merchant.accountId, role: 'developer' });
    for (const path of ['/service', '/service/accounts', '/service/sweep', '/service/reconcile']) {
      const { status } = await developer.get(path);
      assert.ok(status === 403 || status === 404, `${path}: ${status}`);
    }
  });

  let newest = '';

  /** A reconciliation that ended now, with these differences. */
  async function plant(
    findings: Parameters<typeof endReconciliation>[2]['findings'],
    unexamined = 0,
  ): Promise<void> {
    // The newest run is shown, and ids of one millisecond have no order.
    const id = await eventually('its id is later', () => {
      const made = newId('reconciliation');
      return made > newest && made;
    });
    newest = id;
    await beginReconciliation(env.db, { id, runId: id, repair: false });
    const counts = {
      chargesCompared: 2,
      refundsCompared: 1,
      movementsCompared: 3,
      unread: [],
      unexamined,
    };
    await endReconciliation(env.db, id, { ...counts, findings });
  }
});
