import { randomUUID } from 'node:crypto';
import assert from 'node:assert/strict';
import { buildValidators } from '#api/http/conditional-requests.ts';
import { createCustomer, type CustomerBody } from '../../support/resources/customers.ts';
import { createMerchant, type HttpAnswer, type Merchant } from '../../support/resources/merchant.ts';

const weekAgo = new Date(Date.now() - 7 * 86_400_000);
const tomorrow = new Date(Date.now() + 86_400_000);

describe('A resource that is read', () => {
  let merchant: Merchant;
  const paths: Record<string, string> = {};
  before(async () => {
    merchant = await createMerchant();
    paths['a customer'] = (await createCustomer(merchant)).path;
    paths['a charge'] = `/v1/charges/${(await merchant.charge()).body.id}`;
  });

  const read = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    merchant.send<CustomerBody>(method, path, undefined, { headers });

  for (const what of ['a customer', 'a charge']) {
    describe(`as ${what}`, () => {
      let path: string;
      let first: HttpAnswer<CustomerBody>;
      let etag: string;
      before(async () => {
        path = paths[what] ?? '';
        first = await read(path);
        etag = first.headers.get('etag') ?? '';
      });

      it('has a strong tag and its last change’s time', () => {
        assert.match(etag, /^"[\x21\x23-\x7e]+"$/);
        const seconds = Math.floor(Date.parse(first.body.updated) / 1000) * 1000;
        assert.equal(first.headers.get('last-modified'), new Date(seconds).toUTCString());
        assert.equal(first.headers.get('cache-control'), 'private, no-cache');
      });

      it('has another tag in another version', async () => {
        const old = await read(path, { 'api-version': '2026-05-01' });
        assert.notEqual(old.headers.get('etag'), etag);
        const again = await read(path, {
          'api-version': '2026-05-01',
          'if-none-match': old.headers.get('etag') ?? '',
        });
        assert.equal(again.status, 304);
        assert.equal((await read(path, { 'api-version': '2026-05-01', 'if-none-match': etag })).status, 200);
      });

      const known: [what: string, field: (tag: string) => string][] = [
        ['its tag', (tag) => tag],
        ['its tag, taken for a weak one', (tag) => `W/${tag}`],
        ['its tag with a suffix of a proxy', (tag) => tag.replace(/"$/, '-gzip"')],
        ['its tag among others', (tag) => `"x", W/"y" ,${tag}`],
        ['any tag', () => '*'],
      ];
      for (const [given, field] of known) {
        it(`answers GET and HEAD with 304 for ${given}`, async () => {
          for (const method of ['GET', 'HEAD']) {
            const answer = await read(path, { 'if-none-match': field(etag) }, method);
            assert.deepEqual([answer.status, answer.text], [304, '']);
            assert.equal(answer.headers.get('etag'), etag);
            assert.equal(answer.headers.get('last-modified'), first.headers.get('last-modified'));
            assert.equal(answer.headers.get('cache-control'), 'private, no-cache');
            assert.equal(answer.headers.get('vary'), first.headers.get('vary'));
            assert.equal(answer.headers.get('content-type'), null);
          }
        });
      }

      for (const field of ['"x"', '"x", "y"', 'x', '""', '']) {
        it(`is sent whole to If-None-Match: ${field}`, async () => {
          const answer = await read(path, { 'if-none-match': field });
          assert.deepEqual([answer.status, answer.text], [200, first.text]);
        });
      }

      it('answers 304 to If-Modified-Since with its time or later', async () => {
        const last = first.headers.get('last-modified') ?? '';
        const seconds = new Date(last);
        // RFC 9110 §5.6.7: a recipient takes the two older forms too.
        const rfc850 = last.replace(/^(\w+), (\d+) (\w+) (\d+)/, (_all, _day, date, month, year) => {
          const day = seconds.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
          return `${day}, ${date}-${month}-${String(year).slice(2)}`;
        });
        const asctime = last.replace(/^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/, '$1 $3 $2 $5 $4');
        for (const since of [last, rfc850, asctime, tomorrow.toUTCString()]) {
          assert.equal((await read(path, { 'if-modified-since': since })).status, 304, since);
        }
      });

      for (const since of [weekAgo.toUTCString(), weekAgo.toISOString(), 'yesterday', '0', '9999']) {
        it(`is sent whole to If-Modified-Since: ${since}`, async () => {
          assert.equal((await read(path, { 'if-modified-since': since })).status, 200);
        });
      }

      it('ignores the time where a tag is sent too', async () => {
        const since = tomorrow.toUTCString();
        assert.equal((await read(path, { 'if-none-match': '"x"', 'if-modified-since': since })).status, 200);
        const before = weekAgo.toUTCString();
        assert.equal((await read(path, { 'if-none-match': etag, 'if-modified-since': before })).status, 304);
      });

      it('answers 412 where the caller expects another state', async () => {
        for (const headers of [{ 'if-match': '"x"' }, { 'if-unmodified-since': weekAgo.toUTCString() }]) {
          const { status, body, headers: sent } = await read(path, headers);
          assert.deepEqual([status, body.code], [412, 'precondition_failed']);
          assert.deepEqual([sent.get('etag'), sent.get('cache-control')], [null, 'no-store']);
        }
        assert.equal((await read(path, { 'if-match': etag })).status, 200);
      });
    });
  }

  it('is another after it changed', async () => {
    const customer = await createCustomer(merchant);
    const etag = await customer.etag();
    await customer.patch({ name: 'Ada' });
    const answer = await read(customer.path, { 'if-none-match': etag });
    assert.deepEqual([answer.status, answer.body.name], [200, 'Ada']);
    assert.notEqual(answer.headers.get('etag'), etag);
  });

  it('is another after a card was attached or detached', async () => {
    const customer = await createCustomer(merchant);
    const tags = [await customer.etag()];
    const pm = (await customer.attach()).body.payment_methods[0]?.id ?? '';
    tags.push(await customer.etag());
    await customer.detach(pm);
    tags.push(await customer.etag());
    assert.equal(new Set(tags).size, 3);
  });

  it('is another after a charge was captured', async () => {
    const { body: charge } = await merchant.charge({ capture_method: 'manual' });
    const path = `/v1/charges/${charge.id}`;
    const etag = (await read(path)).headers.get('etag') ?? '';
    await merchant.send('POST', `${path}:capture`, {});
    assert.equal((await read(path, { 'if-none-match': etag })).status, 200);
  });

  for (const command of ['capture', 'cancel']) {
    it(`has the tag that the ${command} of a charge answered`, async () => {
      const { body: charge } = await merchant.charge({ capture_method: 'manual' });
      const path = `/v1/charges/${charge.id}`;
      const { status, headers } = await merchant.send(
        'POST',
        `${path}:${command}`,
        {},
        { key: randomUUID() },
      );
      assert.deepEqual([status, headers.get('content-location'), headers.get('location')], [200, path, null]);
      assert.equal(headers.get('etag'), (await read(path)).headers.get('etag'));
    });
  }

  it('has the tag that the reversal of a refund answered', async () => {
    const { body: charge } = await merchant.charge();
    const { body: refund } = await merchant.send<{ id: string }>('POST', '/v1/refunds', {
      charge: charge.id,
    });
    const path = `/v1/refunds/${refund.id}`;
    const { headers } = await merchant.send('POST', `${path}:cancel`, {}, { key: randomUUID() });
    assert.equal(headers.get('content-location'), path);
    assert.equal(headers.get('etag'), (await read(path)).headers.get('etag'));
  });

  it('is asked for again though a charge has ended', async () => {
    const { body: declined } = await merchant.charge({ payment_method: 'tok_declined' });
    const path = `/v1/charges/${declined.charge}`;
    const { headers } = await read(path);
    assert.equal(headers.get('cache-control'), 'private, no-cache', 'its description may change');
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    assert.equal((await read(path, known)).status, 304);
  });

  it('is not cached where it is a problem', async () => {
    const { headers } = await read('/v1/customers/cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D', { 'if-none-match': '*' });
    assert.deepEqual([headers.get('etag'), headers.get('cache-control')], [null, 'no-store']);
  });

  it('has no time while it may change by itself', () => {
    const record = (ago: number) => ({ id: 'ch_1', version: 1, updatedAt: new Date(Date.now() - ago) });
    const time = (ago: number, change?: 'by_itself') =>
      buildValidators(record(ago), '2026-11-01', change).lastModified;
    assert.equal(time(0, 'by_itself'), undefined);
    assert.ok(time(1_000, 'by_itself'));
    assert.ok(time(0));
  });
});

describe('A page that is read', () => {
  it('has a weak tag, which a new item changes', async () => {
    const merchant = await createMerchant();
    for (const path of ['/v1/customers', '/v1/charges']) {
      const first = await merchant.get(path);
      const etag = first.headers.get('etag') ?? '';
      assert.match(etag, /^W\/"[\x21\x23-\x7e]+"$/);
      assert.equal(first.headers.get('last-modified'), null);
      assert.equal(first.headers.get('cache-control'), 'private, no-cache');
      const headers = { 'if-none-match': etag };
      assert.deepEqual(
        [(await merchant.get(path, { headers })).status, (await merchant.get(path, { headers })).text],
        [304, ''],
      );
      if (path === '/v1/customers') await createCustomer(merchant);
      else await merchant.charge();
      assert.equal((await merchant.get(path, { headers })).status, 200);
    }
  });
});

describe('A customer that is written', () => {
  let merchant: Merchant;
  before(async () => {
    merchant = await createMerchant();
  });
  const bodies = { PUT: { name: 'Put' }, PATCH: { name: 'Patched' } };

  for (const method of ['PUT', 'PATCH'] as const) {
    describe(`with ${method}`, () => {
      const write = (path: string, headers: Record<string, string>) =>
        merchant.send<CustomerBody>(method, path, bodies[method], { headers });

      it('is refused with 428 without If-Match', async () => {
        const { path } = await createCustomer(merchant);
        const { status, body } = await write(path, {});
        assert.deepEqual([status, body.code], [428, 'precondition_required']);
      });

      it('answers 412 to a stale tag and stays unchanged', async () => {
        const customer = await createCustomer(merchant);
        const stale = await customer.etag();
        await customer.patch({ name: 'First' });
        const { status, body } = await write(customer.path, { 'if-match': stale });
        assert.deepEqual([status, body.code], [412, 'precondition_failed']);
        assert.equal((await customer.read()).body.name, 'First');
      });

      it('accepts its tag alone, in a list, or *', async () => {
        for (const field of [(tag: string) => tag, (tag: string) => `"x", ${tag}`, () => '*']) {
          const customer = await createCustomer(merchant);
          const { status } = await write(customer.path, { 'if-match': field(await customer.etag()) });
          assert.equal(status, 200);
        }
      });

      it('accepts its tag as compressing proxies change it', async () => {
        const changes: ((tag: string) => string)[] = [
          (tag) => `W/${tag}`,
          (tag) => tag.replace(/"$/, '-gzip"'),
          (tag) => tag.replace(/"$/, '--gzip"'),
          (tag) => `W/${tag.replace(/"$/, ';br"')}`,
        ];
        for (const change of changes) {
          const customer = await createCustomer(merchant);
          const etag = await customer.etag();
          assert.equal((await write(customer.path, { 'if-match': change(etag) })).status, 200);
          assert.equal((await write(customer.path, { 'if-match': change(etag) })).status, 412, 'it is stale');
        }
      });

      it('accepts no malformed tag, nor another version’s', async () => {
        const customer = await createCustomer(merchant);
        const etag = await customer.etag();
        for (const headers of [
          { 'if-match': etag.replace(/"$/, '-other"') },
          { 'if-match': etag.slice(1, -1) },
          { 'if-match': '' },
          { 'if-match': etag, 'api-version': '2026-05-01' },
        ]) {
          assert.equal((await write(customer.path, headers)).status, 412);
        }
        assert.deepEqual((await customer.read()).body, customer.created);
      });

      it('answers 412 where If-None-Match is * too', async () => {
        const customer = await createCustomer(merchant);
        const { status } = await write(customer.path, { 'if-match': '*', 'if-none-match': '*' });
        assert.equal(status, 412);
      });

      it('accepts one of two writes; the other gets 412', async () => {
        for (let i = 0; i < 10; i += 1) {
          const customer = await createCustomer(merchant);
          const headers = { 'if-match': await customer.etag() };
          const send = (name: string) =>
            merchant.send<CustomerBody>(method, customer.path, { name }, { headers });
          const answers = await Promise.all([send('One'), send('Two')]);
          const winner = answers.find(({ status }) => status === 200);
          const loser = answers.find(({ status }) => status === 412);
          assert.ok(winner && loser, answers.map(({ text }) => text).join('\n'));
          assert.deepEqual((await customer.read()).body, winner.body);
        }
      });
    });
  }

  it('loses none of ten concurrent changes', async () => {
    const customer = await createCustomer(merchant);
    const headers = { 'if-match': '*' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => customer.patch({ metadata: { [`k${n}`]: 'x' } }, { headers })),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal(Object.keys((await customer.read()).body.metadata).length, 10);
  });

  it('returns its new tag for POST and PATCH', async () => {
    const created = await merchant.send<CustomerBody>('POST', '/v1/customers', {});
    const path = `/v1/customers/${created.body.id}`;
    let etag = created.headers.get('etag') ?? '';
    for (const name of ['One', 'Two']) {
      const answer = await merchant.send('PATCH', path, { name }, { headers: { 'if-match': etag } });
      assert.equal(answer.status, 200);
      etag = answer.headers.get('etag') ?? '';
    }
    assert.equal(etag, (await merchant.get(path)).headers.get('etag'));
  });

  it('has no tag in the answer to a PUT', async () => {
    const customer = await createCustomer(merchant);
    assert.equal((await customer.put({ name: 'Ada' })).headers.get('etag'), null);
  });

  it('is deleted without If-Match, or with the current tag', async () => {
    const customer = await createCustomer(merchant);
    const stale = await customer.etag();
    await customer.patch({ name: 'Ada' });
    for (const headers of [{ 'if-match': stale }, { 'if-unmodified-since': weekAgo.toUTCString() }]) {
      const { status } = await customer.remove({ headers });
      assert.equal(status, 412);
    }
    const headers = { 'if-match': await customer.etag() };
    assert.equal((await customer.remove({ headers })).status, 204);
    assert.equal((await (await createCustomer(merchant)).remove()).status, 204);
  });
});
