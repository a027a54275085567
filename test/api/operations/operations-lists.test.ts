import assert from 'node:assert/strict';
import { presentProblem } from '#domain/problems.ts';
import { environment } from '../../support/stack/environment.ts';
import { exportFile, untilDone, type OperationBody } from '../../support/resources/exports.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';

describe('GET /v1/operations', () => {
  interface Page {
    data: OperationBody[];
    has_more: boolean;
    next_cursor: string | null;
  }

  const problem = presentProblem('operation_failed', {
    publicUrl: 'https://api.example',
    instance: '/v1/exports',
    traceId: '0af7651916cd43dd8448eb211c80319c',
  });
  let ids: string[];
  let merchant: Merchant;

  before(async () => {
    merchant = await createMerchant();
    ids = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await exportFile(merchant)).id);
    const { body } = await merchant.send<OperationBody>('POST', '/v1/charge-batches', {
      charges: [{ amount: 1000, currency: 'EUR', payment_method: 'tok_visa' }],
    });
    await untilDone(merchant, body.id);
    ids.unshift(body.id);
    await (
      await environment()
    )
      .db('operations')
      .where('id', ids[1])
      .update({ status: 'failed', error: JSON.stringify(problem), result: null });
  });

  const list = async (path: string) => {
    const { status, body, text } = await merchant.get<Page>(path);
    assert.equal(status, 200, text);
    return body.data.map(({ id }) => id);
  };

  it('lists them newest first, page by page', async () => {
    const first = await merchant.get<Page>('/v1/operations?limit=3');
    assert.deepEqual([first.body.data.map(({ id }) => id), first.body.has_more], [ids.slice(0, 3), true]);
    assert.match(first.headers.get('link') ?? '', /rel="next"/);
    const rest = `/v1/operations?limit=3&starting_after=${encodeURIComponent(first.body.next_cursor ?? '')}`;
    assert.deepEqual(await list(rest), ids.slice(3));
  });

  it('filters by type (as collections do), status and time', async () => {
    const [batch, failed, ...others] = ids;
    assert.deepEqual(await list('/v1/operations?type=charge_batch'), [batch]);
    assert.deepEqual(await list('/v1/charge-batches'), [batch]);
    assert.deepEqual(await list('/v1/operations?status=failed'), [failed]);
    assert.deepEqual(await list('/v1/exports?status=succeeded'), others);
    const { body } = await merchant.get<OperationBody>(`/v1/operations/${failed}`);
    assert.deepEqual(await list(`/v1/exports?created[gt]=${body.created}`), []);
    assert.deepEqual(await list(`/v1/exports?created[lt]=${body.created}`), others);
  });

  it('refuses invalid parameters, and shows only the account’s own', async () => {
    for (const query of [
      'limit=0',
      'limit=101',
      'type=refund',
      'status=pending',
      'customer=cus_1',
      'starting_after=x',
    ]) {
      assert.equal((await merchant.get(`/v1/operations?${query}`)).status, 400, query);
    }
    const stranger = await createMerchant();
    assert.deepEqual((await stranger.get<Page>('/v1/operations')).body.data, []);
  });
});
