import assert from 'node:assert/strict';
import { toAction } from '#domain/audit.ts';

describe('An audit entry names', () => {
  const cases: [method: string, template: string, action: string][] = [
    ['GET', '/v1/charges/{id}', 'charges.read'],
    ['POST', '/v1/refunds', 'refunds.create'],
    ['PUT', '/v1/limits', 'limits.replace'],
    ['PATCH', '/v1/customers/{id}', 'customers.update'],
    ['DELETE', '/v1/customers/{id}', 'customers.delete'],
    ['POST', '/v1/charges/{id}:capture', 'charges.capture'],
    ['POST', '/v1/charges/{id}/refunds', 'charges.refunds.create'],
    ['OPTIONS', '/v1/charges', 'charges.options'],
  ];
  for (const [method, template, action] of cases) {
    it(`${method} ${template} as ${action}`, () => assert.equal(toAction(method, template), action));
  }
});
