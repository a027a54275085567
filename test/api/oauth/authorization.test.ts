import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createDocument } from '#api/openapi/document.ts';
import { nameInSchemas, operationTypes } from '#domain/operations/operation-kinds.ts';
import { roleScopes } from '#domain/roles.ts';
import { satisfies, scopes, type Scope } from '#domain/scopes.ts';
import { listScopes, type Route } from '#api/http/route.ts';
import { newId } from '#db/new-id.ts';
import { createCustomer } from '../../support/resources/customers.ts';
import { createMerchant, addClient, type Merchant } from '../../support/resources/merchant.ts';
import { refundCharge } from '../../support/resources/refunds.ts';
import {
  ask,
  createEstate,
  toRouteName,
  buildPath,
  otherRoutes,
  routes,
  type Estate,
} from '../../support/route-requests.ts';

describe('Every route, asked by a token', () => {
  let owner: Estate;
  before(async () => {
    owner = await createEstate(await createMerchant());
  });

  const scoped = routes.filter(({ access }) => listScopes(access).length > 0);
  /** All that a route may need, each set of which is enough by itself. */
  const listScopeSets = ({ access, furtherScopes = [[]] }: Route): Scope[][] =>
    furtherScopes.map((further) => [...listScopes(access), ...further]);
  /** The one that is needed for what the estate has: an export of charges. */
  const neededBy = (route: Route): Scope[] => listScopeSets(route)[0] ?? [];

  describe('without one of its scopes', () => {
    const without = new Map<Scope, Promise<Merchant>>();
    const merchantWithout = (scope: Scope): Promise<Merchant> => {
      const rest = scopes.filter((other) => !satisfies([other], scope));
      const made = without.get(scope) ?? addClient(owner.merchant, rest);
      without.set(scope, made);
      return made;
    };
    for (const route of scoped) {
      for (const missing of neededBy(route)) {
        it(`${toRouteName(route)} answers 403 if only ${missing} is missing`, async () => {
          const { status, headers, body } = await ask(await merchantWithout(missing), route, owner);
          assert.deepEqual([status, body['code']], [403, 'insufficient_scope']);
          const [, named = ''] = /scope="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
          const whole = neededBy(route).join(' ');
          assert.ok(named.split(' ').includes(missing) && whole.startsWith(named), named);
        });
      }
    }
  });

  describe('with its scopes alone', () => {
    /** Nobody gives a role with a scope that the token lacks. */
    const given: Record<string, readonly Scope[]> = { 'POST /v1/members': roleScopes.support };
    for (const route of scoped) {
      it(`${toRouteName(route)} does not answer 403 to ${neededBy(route).join(' ')}`, async () => {
        const held = [...neededBy(route), ...(given[toRouteName(route)] ?? [])];
        const merchant = await createMerchant({}, held);
        const { status } = await ask(merchant, route, owner);
        assert.ok(status !== 401 && status !== 403, String(status));
      });
    }
  });

  it('needs no scope if it accepts any token', async () => {
    const merchant = await createMerchant({}, []);
    for (const route of routes.filter(({ access }) => access === 'any-token')) {
      const { status } = await ask(merchant, route, owner);
      assert.ok(status !== 401 && status !== 403, `${toRouteName(route)}: ${status}`);
    }
  });

  it('reads with read scopes, writes with a write scope', () => {
    for (const route of scoped) {
      const name = toRouteName(route);
      const [first = '', ...others] = listScopes(route.access);
      assert.equal(first.endsWith(':read'), route.method === 'GET', `${name}: ${first}`);
      const mayWrite = route.method !== 'GET';
      assert.ok(mayWrite || others.every((scope) => scope.endsWith(':read')), `${name}: ${others.join(' ')}`);
    }
  });

  /** What an answer shows, by its schema in the documents, and the scopes that read it. */
  const readers: Record<string, Scope[]> = {
    Charge: ['charges:read'],
    ChargeFigures: ['charges:read'],
    DeliveryFigures: ['webhooks:read'],
    Refund: ['refunds:read'],
    Customer: ['customers:read'],
    PaymentMethod: ['customers:read'],
    Event: ['events:read'],
    WebhookEndpoint: ['webhooks:read'],
    WebhookSecret: ['webhooks:read'],
    WebhookDelivery: ['webhooks:read'],
    WebhookDeliveryDetail: ['webhooks:read'],
    ChargeProcessor: ['charges:read'],
    RefundProcessor: ['refunds:read'],
    Request: ['requests:read'],
    RequestTrace: ['requests:read'],
    TimelineEntry: ['charges:read', 'refunds:read', 'webhooks:read'],
    OAuthClient: ['access:read'],
    Member: ['access:read'],
    Session: ['access:read'],
    SessionMember: ['access:read'],
    AuditEntry: ['access:read'],
    Actor: ['access:read'],
  };
  /** What is no resource of a scope of its own, or is read by the scope of its collection. */
  const unguarded = [
    'IdempotencyKey',
    'Operation',
    ...operationTypes.map((type) => `${nameInSchemas(type)}Operation`),
  ];

  it('needs the scope of each resource it reads', () => {
    const seen = new Set<string>();
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      for (const schema of resourcesIn(route)) {
        seen.add(schema);
        for (const set of listScopeSets(route)) {
          const missing = (readers[schema] ?? []).filter((scope) => !set.includes(scope));
          assert.deepEqual(missing, [], `${toRouteName(route)} shows ${schema} to ${set.join(' ')}`);
        }
      }
    }
    assert.deepEqual([...seen].toSorted(), [...Object.keys(readers), ...unguarded].toSorted());
  });

  it('has its scopes documented if it needs several', () => {
    const told = readFileSync('docs/operations.md', 'utf8');
    for (const route of routes) {
      if (listScopeSets(route).every((set) => set.length < 2)) continue;
      const line = told.split('\n').find((text) => text.startsWith(`| \`${toRouteName(route)}\` |`)) ?? '';
      for (const scope of new Set(listScopeSets(route).flat())) {
        assert.ok(line.includes(`\`${scope}\``), `docs/operations.md: ${toRouteName(route)} needs ${scope}`);
      }
    }
  });
});

const { paths, components } = createDocument({ routes: [...routes, ...otherRoutes] });

/** The names of the resources that the documented success answers of a route show, however deep. */
function resourcesIn({ method, path }: Route): Set<string> {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      // An event shows its resource as it was, to whoever may read events.
      if (name !== 'Event') visit(components.schemas[name] ?? {});
    }
  };
  const responses = paths[path]?.[method.toLowerCase()]?.responses ?? {};
  for (const [status, answer] of Object.entries(responses)) if (status < '3') visit(answer);
  return new Set([...found].filter(isResource));
}

function isResource(name: string): boolean {
  const { properties = {}, oneOf } = components.schemas[name] as { properties?: object; oneOf?: object[] };
  return oneOf !== undefined || 'id' in properties || 'object' in properties;
}

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
    customerReport: newId('operation'),
    client: newId('client'),
    member: newId('member'),
    session: newId('session'),
    key: 'a-key-that-nobody-used',
  });

  const items = routes.filter(({ path }) => path.includes('{'));
  const reads = items.filter(({ method }) => method === 'GET');
  const state = () => {
    const paths = [...reads.map((route) => buildPath(route, owner)), `/v1/charges/${owner.authorized}`];
    // Signed links change with time.
    const read = async (path: string) =>
      (await owner.merchant.get(path)).text.replaceAll(/\?expires=[^"]*/g, '');
    return Promise.all(paths.map(read));
  };

  for (const route of items) {
    it(`is not there for ${toRouteName(route)}, nor is it changed`, async () => {
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
      assert.equal((await stranger.send('HEAD', buildPath(route, owner))).status, 404);
    });

    it(`is not said to be unchanged by ${toRouteName(route)}`, async () => {
      const { headers } = await owner.merchant.get(buildPath(route, owner));
      const known = { 'if-none-match': headers.get('etag') ?? '*' };
      assert.equal((await stranger.get(buildPath(route, owner), { headers: known })).status, 404);
    });
  }

  it('does not appear in any list', async () => {
    const lists = routes.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
    // It has what the stranger asked for, and was refused.
    const { body: log } = await stranger.get<{ data: { client: string }[] }>('/v1/requests?limit=100');
    assert.deepEqual(
      log.data.filter(({ client }) => client !== stranger.clientId),
      [],
    );
    const { body: clients } = await stranger.get<{ data: { id: string }[] }>('/v1/clients');
    assert.deepEqual(
      clients.data.map(({ id }) => id),
      [stranger.clientId],
    );
    // What it was refused is in its audit, too.
    const { body: audit } = await stranger.get<{ data: { actor: { id: string } }[] }>('/v1/audit-entries');
    assert.deepEqual(
      audit.data.filter(({ actor }) => actor.id !== stranger.clientId),
      [],
    );
    const itsOwn = ['/v1/requests', '/v1/clients', '/v1/audit-entries'];
    for (const { path } of lists.filter((list) => !itsOwn.includes(list.path))) {
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

  it('does not block a key of the same name', async () => {
    const { status, headers } = await stranger.charge({}, { key: owner.key });
    assert.deepEqual([status, headers.get('idempotent-replayed')], [201, null]);
  });

  it('is found by its owner on each route', async () => {
    for (const route of items) {
      const { status } = await ask(owner.merchant, route, owner);
      assert.ok(status < 500 && status !== 404, `${toRouteName(route)}: ${status}`);
    }
  });
});
