// In pairs: two APIs and two workers must look like one of each.
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import {
  download,
  exportFile,
  readResult,
  submitExport,
  type OperationBody,
} from '../../support/resources/exports.ts';
import { createMerchant } from '../../support/resources/merchant.ts';

describe('POST /v1/exports', () => {
  it('answers 202 with Location, Retry-After and the queued envelope', async () => {
    const merchant = await createMerchant();
    const { status, headers, body } = await submitExport(merchant);
    assert.equal(status, 202);
    assert.equal(headers.get('location'), `/v1/exports/${body.id}`);
    assert.equal(headers.get('retry-after'), '1');
    const { created, updated, ...rest } = body;
    assert.deepEqual(rest, {
      name: `operations/${body.id}`,
      id: body.id,
      object: 'operation',
      type: 'export',
      status: 'queued',
      done: false,
      progress: null,
      request: { resource: 'charges', format: 'ndjson', filter: {} },
      expires_at: null,
    });
    assert.ok(updated >= created);
  });

  it('tells in every answer what was asked for', async () => {
    const merchant = await createMerchant();
    const filter = { status: 'succeeded', reference: '6735', amount: 1999, currency: 'EUR' };
    const created = { gt: '2026-03-01T00:00:00+01:00', lte: '9999-12-31T23:59:59.999Z' };
    const done = await exportFile(merchant, { filter: { ...filter, created } });
    const shown = { gte: '2026-02-28T23:00:00.001Z', lt: '9999-12-31T23:59:59.999Z' };
    const request = { resource: 'charges', format: 'ndjson', filter: { ...filter, created: shown } };
    assert.deepEqual(done.request, request);
    assert.equal((await submitExport(merchant, request)).status, 202, 'it can be sent again');
    const { body: events } = await merchant.get<{ data: { data: { object: OperationBody } }[] }>(
      '/v1/events?type=operation.succeeded',
    );
    assert.deepEqual(events.data.at(-1)?.data.object.request, request);
    const older = await merchant.get<OperationBody>(`/v1/exports/${done.id}`, {
      headers: { 'api-version': '2026-05-01' },
    });
    assert.ok(!('request' in older.body), 'an older version does not know it');
  });

  it('begins a CSV file with a byte order mark', async () => {
    const merchant = await createMerchant();
    const { id } = (await merchant.charge({ description: 'Café, 12 €' })).body;
    const marked = await exportFile(merchant, { format: 'csv', bom: true });
    assert.deepEqual(marked.request, { resource: 'charges', format: 'csv', bom: true, filter: {} });
    const plain = await exportFile(merchant, { format: 'csv', bom: false });
    assert.deepEqual(plain.request, { resource: 'charges', format: 'csv', filter: {} });
    const read = async ({ response }: OperationBody) =>
      Buffer.from(await (await download(merchant, response!.href)).arrayBuffer());
    const [withMark, without] = [await read(marked), await read(plain)];
    assert.equal(withMark.subarray(0, 6).toString('hex'), `efbbbf${Buffer.from('id,').toString('hex')}`);
    assert.ok(withMark.subarray(3).equals(without), 'the rest is the same');
    assert.ok(without.includes(id) && without.includes('Café, 12 €'));
    const refused = await submitExport(merchant, { format: 'ndjson', bom: true });
    assert.deepEqual([refused.status, refused.body.errors?.map(({ pointer }) => pointer)], [422, ['/bom']]);
  });

  it('answers a repeat with the same bytes and Location', async () => {
    const merchant = await createMerchant();
    const key = randomUUID();
    const first = await submitExport(merchant, {}, { key });
    const again = await submitExport(merchant, {}, { key });
    assert.deepEqual([again.status, again.text], [202, first.text]);
    assert.equal(again.headers.get('location'), first.headers.get('location'));
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    const { body } = await merchant.get<{ data: unknown[] }>('/v1/exports');
    assert.equal(body.data.length, 1);
  });

  it('makes a file with the envelope’s size and sha256', async () => {
    const merchant = await createMerchant();
    await merchant.charge();
    const done = await exportFile(merchant, { format: 'csv' });
    const text = await readResult(merchant, done);
    assert.equal(Buffer.byteLength(text), done.response?.size);
    assert.equal(createHash('sha256').update(text).digest('hex'), done.response?.sha256);
    assert.equal(text.split('\r\n').length, 3);
    assert.deepEqual(done.progress, { completed: 1, total: 1 });
  });
});
