import assert from 'node:assert/strict';
import { scopes, type Route, type Scope } from '../../api/route.ts';
import { newId } from '../../db/new-id.ts';
import { createCustomer } from '../support/customers.ts';
import { createMerchant, type Merchant } from '../support/merchant.ts';
import { refundCharge } from '../support/refunds.ts';
import { ask, createEstate, nameOf, pathOf, routes, type Estate } from '../support/route-requests.ts';

describe('Every route, asked by a token', () => {
  let owner: Estate;
  before(async () => {
    owner = await createEstate(await createMerchant());
  });

  const scoped = routes.filter((route): route is Route & { access: Scope } => route.access !== 'any-token');

  describe('without its scope', () => {
    const without = new Map<Scope, Promise<Merchant>>();
    const merchantWithout = (scope: Scope): Promise<Merchant> => {
      const made =
        without.get(scope) ??
        createMerchant(
          {},
          scopes.filter((other) => other !== scope),
        );
      without.set(scope, made);
      return made;
    };
    for (const route of scoped) {
      it(`${nameOf(route)} answers 403 where all scopes but ${route.access} are there`, async () => {
        const { status, headers, body } = await ask(await merchantWithout(route.access), route, owner);
        assert.deepEqual([status, body['code']], [403, 'insufficient_scope']);
        assert.equal(
          headers.get('www-authenticate'),
          `Bearer realm="payments", error="insufficient_scope", scope="${route.access}"`,
        );
      });
    }
  });

  describe('with its scope alone', () => {
    for (const route of scoped) {
      it(`${nameOf(route)} does not answer 403 to ${route.access}`, async () => {
        const merchant = await createMerchant({}, [route.access]);
        const { status } = await ask(merchant, route, owner);
        assert.ok(status !== 401 && status !== 403, String(status));
      });
    }
  });

  it('without any scope is answered where any token will do', async () => {
    const merchant = await createMerchant({}, []);
    for (const route of routes.filter(({ access }) => access === 'any-token')) {
      const { status } = await ask(merchant, route, owner);
      assert.ok(status !== 401 && status !== 403, `${nameOf(route)}: ${status}`);
    }
  });

  it('reads with a read scope, and changes with a write scope only', () => {
    for (const { method, path, access } of scoped) {
      assert.equal(
        access.endsWith(method === 'GET' ? ':read' : ':write'),
        true,
        `${method} ${path}: ${access}`,
      );
    }
  });
});

describe('What belongs to another account', () => {
  let owner: Estate;
  let stranger: Merchant;
  before(async () => {
    [owner, stranger] = [await createEstate(await createMerchant()), await createMerchant()];
  });

  /** Names what nobody has. */
  const nothing = () => ({
    ...owner,
    charge: newId('charge'),
    authorized: newId('charge'),
    refund: newId('refund'),
    customer: newId('customer'),
    webhookEndpoint: newId('webhookEndpoint'),
    webhookDelivery: newId('webhookDelivery'),
    event: newId('event'),
    operation: newId('operation'),
    chargeBatch: newId('operation'),
    key: 'a-key-that-nobody-used',
  });

  const items = routes.filter(({ path }) => path.includes('{'));
  const reads = items.filter(({ method }) => method === 'GET');
  const state = () => {
    const paths = [...reads.map((route) => pathOf(route, owner)), `/v1/charges/${owner.authorized}`];
    // Signed links change with time.
    const read = async (path: string) =>
      (await owner.merchant.get(path)).text.replaceAll(/\?expires=[^"]*/g, '');
    return Promise.all(paths.map(read));
  };

  for (const route of items) {
    it(`is not there for ${nameOf(route)}, nor is it changed`, async () => {
      const before = await state();
      const theirs = await ask(stranger, route, owner);
      assert.deepEqual([theirs.status, theirs.body['code']], [404, 'not_found']);
      assert.deepEqual(await state(), before);
      const nobodys = await ask(stranger, route, nothing());
      const told = ({ body }: typeof theirs) => ({ ...body, instance: '', trace_id: '' });
      assert.deepEqual(told(theirs), told(nobodys), 'nothing tells the two apart');
    });
  }

  for (const route of reads) {
    it(`is not there for HEAD ${route.path} either`, async () => {
      assert.equal((await stranger.send('HEAD', pathOf(route, owner))).status, 404);
    });

    it(`is not said to be unchanged by ${nameOf(route)}`, async () => {
      const { headers } = await owner.merchant.get(pathOf(route, owner));
      const known = { 'if-none-match': headers.get('etag') ?? '*' };
      assert.equal((await stranger.get(pathOf(route, owner), { headers: known })).status, 404);
    });
  }

  it('is in no list', async () => {
    const lists = routes.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
    for (const { path } of lists) {
      const { status, body } = await stranger.get<{ data: unknown[] }>(path);
      assert.deepEqual([status, body.data], [200, []], path);
    }
    for (const query of [`charges?customer=${owner.customer}`, `refunds?charge=${owner.charge}`]) {
      const { status, body } = await stranger.get<{ data: unknown[] }>(`/v1/${query}`);
      assert.deepEqual([status, body.data], [200, []], query);
    }
  });

  it('cannot be named in a body', async () => {
    const own = await createCustomer(stranger);
    const { charge, customer, paymentMethod } = owner;
    const answers = [
      await refundCharge(stranger, charge),
      await stranger.charge({ customer }),
      await stranger.charge({ customer, payment_method: paymentMethod }),
      await stranger.charge({ payment_method: paymentMethod }),
      await stranger.charge({ customer: own.id, payment_method: paymentMethod }),
      await own.detach(paymentMethod),
      await own.patch({ default_payment_method: paymentMethod }),
    ];
    for (const { status, text } of answers) assert.ok(status === 404 || status === 422, `${status} ${text}`);
    assert.deepEqual((await stranger.get<{ data: unknown[] }>('/v1/charges')).body.data, []);
  });

  it('does not stand in the way of a key of the same name', async () => {
    const { status, headers } = await stranger.charge({}, { key: owner.key });
    assert.deepEqual([status, headers.get('idempotent-replayed')], [201, null]);
  });

  it('is there for its owner by every one of these routes', async () => {
    for (const route of items) {
      const { status } = await ask(owner.merchant, route, owner);
      assert.ok(status < 500 && status !== 404, `${nameOf(route)}: ${status}`);
    }
  });
});
