import assert from 'node:assert/strict';
import { roleScopes } from '#domain/roles.ts';
import { operatorScopes, satisfies, scopes, wholeScope, type Scope } from '#domain/scopes.ts';

describe('The roles of members', () => {
  const may = (role: keyof typeof roleScopes, scope: Scope) => satisfies(roleScopes[role], scope);

  it('let a viewer read all but access', () => {
    const readable = scopes.filter((scope) => scope.endsWith(':read') && scope !== 'access:read');
    assert.deepEqual(roleScopes.viewer.toSorted(), readable.toSorted());
  });

  it('let support refund and capture, but not charge', () => {
    assert.ok(may('support', 'refunds:write') && may('support', 'charges:update'));
    assert.ok(!may('support', 'charges:write') && !may('support', 'webhooks:write'));
  });

  it('let a developer do what any client may', () => {
    assert.deepEqual(
      scopes.filter((scope) => !may('developer', scope)),
      [],
    );
  });

  it('keep operators and accounts apart', () => {
    assert.deepEqual(
      scopes.filter((scope) => may('operator', scope)),
      [],
    );
    for (const role of ['viewer', 'support', 'developer'] as const)
      assert.ok(!operatorScopes.some((scope) => may(role, scope)), role);
  });
});

describe('A scope', () => {
  it('of an account is one of these', () => {
    assert.equal(scopes.length, 21);
    for (const scope of ['charges:read', 'charges:write', 'requests:read', 'webhooks:replay'] as const)
      assert.ok(scopes.includes(scope), scope);
  });

  it('that is a part is granted with its whole', () => {
    assert.deepEqual([wholeScope('charges:update'), wholeScope('charges:write')], ['charges:write', null]);
    assert.ok(satisfies(['charges:write'], 'charges:update'));
    assert.ok(satisfies(new Set(['webhooks:write']), 'webhooks:replay'));
    assert.ok(!satisfies(['charges:update'], 'charges:write'));
    assert.ok(!satisfies(['webhooks:write'], 'charges:update'));
    assert.ok(!satisfies([], 'charges:read'));
  });
});
