import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, rmSync, truncateSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { download, exportFile, submitExport, type OperationBody } from '../../support/resources/exports.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { runMaintenance } from '../../support/resources/maintenance.ts';

describe('GET /v1/exports/{id}/result', () => {
  let merchant: Merchant;
  let done: OperationBody;
  let text: string;
  const href = () => done.response?.href ?? '';
  const path = () => `/v1/exports/${done.id}/result`;
  const readStatusAndCode = async (answer: Response) => [
    answer.status,
    ((await answer.json()) as { code: string }).code,
  ];

  before(async () => {
    merchant = await createMerchant();
    for (let n = 0; n < 5; n += 1) await merchant.charge();
    done = await exportFile(merchant, { format: 'csv' });
    text = await (await download(merchant, href())).text();
  });

  it('redirects to a signed link that serves the file', async () => {
    const { stack } = await environment();
    const redirect = await download(merchant, stack.apiUrl + path());
    assert.equal(redirect.status, 303);
    const location = redirect.headers.get('location') ?? '';
    assert.match(location, /^\/v1\/exports\/op_\w+\/result\?expires=\d+&signature=[\w-]+$/);
    assert.equal(await (await download(merchant, stack.apiUrl + location)).text(), text);
  });

  it('serves an attachment with its type, tag and length', async () => {
    const { status, headers } = await download(merchant, href());
    assert.equal(status, 200);
    assert.deepEqual(
      ['content-type', 'content-disposition', 'etag', 'content-length', 'accept-ranges'].map((name) =>
        headers.get(name),
      ),
      [
        'text/csv; charset=utf-8; header=present',
        `attachment; filename="${done.id}.csv"`,
        `"${done.response?.sha256}"`,
        String(done.response?.size),
        'bytes',
      ],
    );
    assert.equal(createHash('sha256').update(text).digest('hex'), done.response?.sha256);
  });

  it('answers HEAD like GET, without the file', async () => {
    const headers = { authorization: `Bearer ${merchant.token}` };
    const head = await fetch(href(), { method: 'HEAD', headers });
    assert.deepEqual([head.status, await head.text()], [200, '']);
    assert.equal(head.headers.get('content-length'), String(done.response?.size));
    assert.equal(head.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
  });

  const ranges: [range: string, first: number, last: number][] = [
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=100-', 100, -1],
    ['bytes=-7', -7, -1],
    ['bytes=5-99999999', 5, -1],
  ];
  for (const [range, first, last] of ranges) {
    it(`serves the range ${range} with 206`, async () => {
      const bytes = Buffer.from(text);
      const [from, to] = [first, last].map((at) => (at < 0 ? bytes.length + at : at)) as [number, number];
      const answer = await download(merchant, href(), { range });
      assert.equal(answer.status, 206);
      assert.equal(answer.headers.get('content-range'), `bytes ${from}-${to}/${bytes.length}`);
      assert.equal(await answer.text(), bytes.subarray(from, to + 1).toString());
    });
  }

  it('answers 416 beyond the end, with the length', async () => {
    const answer = await download(merchant, href(), { range: 'bytes=99999999-' });
    assert.equal(answer.headers.get('content-range'), `bytes */${Buffer.byteLength(text)}`);
    assert.deepEqual(await readStatusAndCode(answer), [416, 'range_not_satisfiable']);
  });

  it('serves all where the range does not apply', async () => {
    const all = [
      { range: 'bytes=0-1', 'if-range': '"other"' },
      { range: 'lines=0-1' },
      { range: 'bytes=2-1' },
      { range: 'bytes=0-1,4-5' },
    ];
    for (const headers of all) assert.equal((await download(merchant, href(), headers as never)).status, 200);
    const same = { range: 'bytes=0-1', 'if-range': `"${done.response?.sha256}"` };
    assert.equal((await download(merchant, href(), same)).status, 206);
  });

  it('answers 304 to a known tag, 412 to another', async () => {
    const tag = `"${done.response?.sha256}"`;
    assert.equal((await download(merchant, href(), { 'if-none-match': tag })).status, 304);
    assert.equal((await download(merchant, href(), { 'if-match': '"other"' })).status, 412);
  });

  it('answers 406 where its type is not accepted', async () => {
    assert.equal((await download(merchant, href(), { accept: 'application/x-ndjson' })).status, 406);
    assert.equal((await download(merchant, href(), { accept: 'text/*' })).status, 200);
  });

  it('refuses a signature that is changed, missing or another’s', async () => {
    const other = await exportFile(merchant);
    const changed = new URL(href());
    changed.searchParams.set('expires', String(Number(changed.searchParams.get('expires')) + 60));
    const borrowed = new URL(href());
    borrowed.pathname = `/v1/exports/${other.id}/result`;
    const half = new URL(href());
    half.searchParams.delete('signature');
    for (const url of [changed, borrowed, half]) {
      assert.deepEqual(await readStatusAndCode(await download(merchant, url.href)), [403, 'link_expired']);
    }
  });

  it('needs the token of the owner, whatever the signature', async () => {
    const stranger = await createMerchant();
    assert.deepEqual(await readStatusAndCode(await download(stranger, href())), [404, 'not_found']);
    assert.equal((await fetch(href())).status, 401);
    const reader = await createMerchant({}, ['operations:read']);
    assert.equal((await download(reader, href())).status, 403);
  });

  it('answers 409 while there is none', async () => {
    const { stack, db } = await environment();
    const { body } = await submitExport(merchant);
    await eventually('it is done', async () => {
      const { body: now } = await merchant.get<OperationBody>(`/v1/exports/${body.id}`);
      return now.done;
    });
    const row = await db('operations').where('id', body.id).first<{ result: object; done_at: Date }>();
    await db('operations').where('id', body.id).update({ status: 'running', done_at: null, result: null });
    const answer = await download(merchant, `${stack.apiUrl}/v1/exports/${body.id}/result`);
    assert.ok(Number(answer.headers.get('retry-after')) >= 1);
    assert.deepEqual(await readStatusAndCode(answer), [409, 'operation_not_done']);
    await db('operations')
      .where('id', body.id)
      .update({ status: 'succeeded', ...row });
  });

  it('answers 410 after seven days, 404 after thirty', async () => {
    const env = await environment();
    const own = await exportFile(merchant);
    const age = (days: number) =>
      env
        .db('operations')
        .where('id', own.id)
        .update('done_at', new Date(Date.now() - days * 86_400_000 - 1));
    await age(7);
    const link = own.response?.href ?? '';
    assert.deepEqual(await readStatusAndCode(await download(merchant, link)), [410, 'result_expired']);
    await runMaintenance(env, 'retention');
    const [kept] = await env.db('operation_uploads').where('operation_id', own.id);
    assert.equal(kept, undefined);
    const { body } = await merchant.get<OperationBody>(`/v1/operations/${own.id}`);
    assert.equal(body.response?.sha256, own.response?.sha256);
    await age(30);
    await runMaintenance(env, 'retention');
    assert.deepEqual(await readStatusAndCode(await download(merchant, link)), [404, 'not_found']);
  });

  it('answers 500 where its file is damaged', async () => {
    const { stack } = await environment();
    const own = await exportFile(merchant);
    const folder = join(stack.localDir, 'blobs/results', own.id);
    const part = join(folder, readdirSync(folder).find((name) => name.startsWith('part-')) ?? '');
    const refused = async (said: RegExp) => {
      const answer = await download(merchant, own.response?.href ?? '');
      const { code, trace_id: traceId } = (await answer.json()) as { code: string; trace_id: string };
      assert.deepEqual([answer.status, code], [500, 'internal_error']);
      await eventually('it is logged', () =>
        readFileSync(join(stack.localDir, 'logs/api.log'), 'utf8')
          .split('\n')
          .some((line) => line.includes(traceId) && said.test(line)),
      );
    };
    truncateSync(part, 7);
    await refused(/has 7 bytes, not \d+/);
    rmSync(part);
    await refused(/ENOENT/);
    rmSync(folder, { recursive: true });
    await refused(/is not in the store/);
  });

  it('closes the file when its reader disconnects', async function () {
    if (process.platform !== 'linux') this.skip();
    const { stack, db } = await environment();
    // Large enough not to fit into the sockets between.
    await db('charges')
      .where('account_id', merchant.accountId)
      .update('metadata', JSON.stringify({ note: 'x'.repeat(8_000_000) }));
    const large = await exportFile(merchant);
    const pid = stack.pid('api');
    const openParts = () =>
      readdirSync(`/proc/${pid}/fd`).filter((fd) => {
        try {
          return readlinkSync(`/proc/${pid}/fd/${fd}`).includes(`${large.id}/part-`);
        } catch {
          return false;
        }
      });
    await new Promise<void>((resolve, reject) => {
      const sent = request(large.response?.href ?? '', {
        headers: { authorization: `Bearer ${merchant.token}` },
      });
      sent.on('response', (answer) => {
        answer.once('data', () => {
          answer.pause();
          void eventually('the file is open', () => openParts().length > 0).then(() => {
            sent.destroy();
            resolve();
          }, reject);
        });
        answer.on('error', () => undefined);
      });
      sent.on('error', () => undefined);
      sent.end();
    });
    await eventually('the file is closed', () => openParts().length === 0);
  });
});
