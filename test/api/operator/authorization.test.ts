import assert from 'node:assert/strict';
import { operatorScopes, scopes } from '#domain/scopes.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { signInOperator, withToken, type Operator } from '../../support/resources/access/operators.ts';
import { otherRoutes, routes, toRouteName } from '../../support/route-requests.ts';
import { createAccountRoutes } from '#api/routes.ts';

const operatorRoutes = otherRoutes.filter(({ path }) => path.startsWith('/operator/'));

/** A path of the route, with an id that nothing has. */
const fill = (path: string) =>
  path.replace(
    '{id}',
    path.includes('accounts') ? nothing('acct') : nothing(path.includes('reconciliations') ? 'rec' : 'ch'),
  );
const nothing = (prefix: string) => `${prefix}_01JF3Z8Q4V7Y2N6K5T9R0C1B3D`;

describe('The routes of operators', () => {
  let api: TestApi;
  let operator: Operator;
  before(async () => {
    api = await startApi({ routes: createAccountRoutes });
    operator = await signInOperator(api);
  });
  after(() => api.stop());

  const ask = ({ get, post }: Pick<Operator, 'get' | 'post'>, method: string, path: string) =>
    method === 'GET' ? get(path) : post(path, { reason: 'A test of who may ask.' });

  it('each name a scope of operators, and no other', () => {
    assert.ok(operatorRoutes.length >= 12);
    for (const { method, path, access } of operatorRoutes)
      assert.equal(access, method === 'GET' ? 'operator:read' : 'operator:write', path);
  });

  it('refuse a token of an account, whatever its scopes', async () => {
    // No command gives a client of an account such scopes. One that has them all the same is refused.
    const forged = await api.createClient({ scopes: [...operatorScopes] });
    for (const client of [api.client, forged]) {
      const merchant = withToken(api.url, await api.takeToken(client));
      for (const { method, path } of operatorRoutes) {
        const { status, body } = await ask(merchant, method, fill(path));
        assert.deepEqual([status, body['code']], [403, 'insufficient_scope'], `${method} ${path}`);
      }
    }
  });

  it('refuse a request without a token', async () => {
    for (const { method, path } of operatorRoutes) {
      const response = await fetch(api.url + fill(path), { method });
      assert.equal(response.status, 401, path);
      assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer/);
    }
  });

  it('are not refused to an operator', async () => {
    for (const { method, path } of operatorRoutes) {
      const { status } = await ask(operator, method, fill(path));
      assert.ok(status !== 401 && status !== 403, `${method} ${path}: ${status}`);
    }
  });

  it('are the only ones for a token of an operator', async () => {
    for (const route of routes) {
      const headers = { Authorization: `Bearer ${operator.token}`, 'Idempotency-Key': 'one' };
      const path = route.path.replace(/\{\w+\}/, nothing('ch'));
      const response = await fetch(api.url + path, { method: route.method, headers });
      const { code } = (await response.json()) as { code: string };
      assert.deepEqual([response.status, code], [403, 'insufficient_scope'], toRouteName(route));
    }
  });

  it('need scopes that no client of an account can have', () => {
    for (const scope of operatorScopes) assert.ok(!(scopes as readonly string[]).includes(scope));
  });
});
