import type { Violation } from '../../support/invariants/violations.ts';
import { anyAnswer } from '../../support/any-answer.ts';
import type { Environment } from '../../support/stack/environment.ts';
import type { Merchant } from '../load/merchants.ts';
import type { Random } from '../random.ts';

/** A request for something, by its owner or by another. */
export interface Probe {
  request: string;
  owner: string;
  by: string;
  status: number;
  text: string;
}

/** Where a resource of each kind is reached, by the prefix of its id; the last ones change something. */
const routes: Record<string, string[]> = {
  ch: [
    'GET /v1/charges/{id}',
    'GET /v1/charges/{id}/timeline',
    'POST /v1/charges/{id}:capture',
    'POST /v1/charges/{id}:cancel',
    'POST /v1/charges/{id}/refunds',
  ],
  re: ['GET /v1/refunds/{id}', 'POST /v1/refunds/{id}:cancel'],
  cus: ['GET /v1/customers/{id}'],
  op: ['GET /v1/operations/{id}', 'POST /v1/operations/{id}:cancel'],
  evt: ['GET /v1/events/{id}'],
  we: [
    'GET /v1/webhook-endpoints/{id}',
    'GET /v1/webhook-endpoints/{id}/deliveries',
    'POST /v1/webhook-endpoints/{id}:test',
  ],
  wd: ['GET /v1/webhook-deliveries/{id}', 'POST /v1/webhook-deliveries/{id}:replay'],
};

const tables = {
  ch: 'charges',
  re: 'refunds',
  cus: 'customers',
  op: 'operations',
  evt: 'events',
  we: 'webhook_endpoints',
  wd: 'webhook_deliveries',
} as const;

/** Asks for `sample` resources of each kind of each merchant, as its owner and as another. */
export async function probeOwnership(
  env: Environment,
  merchants: readonly Merchant[],
  random: Random,
  sample: number,
): Promise<Probe[]> {
  const probes: Probe[] = [];
  for (const owner of merchants) {
    const other = random.pick(merchants.filter((one) => one !== owner));
    for (const [kind, table] of Object.entries(tables)) {
      const rows: { id: string }[] = await env
        .db(table)
        .select('id')
        .where({ account_id: owner.accountId })
        .modify((query) => {
          // What was deleted is there for nobody.
          if (table === 'webhook_endpoints') void query.whereNull('deleted_at');
        })
        .orderByRaw('md5(id)')
        .limit(sample);
      for (const { id } of rows) {
        const [read = '', ...rest] = routes[kind]!;
        probes.push(await probe(owner, owner, read, id));
        for (const route of [read, ...rest]) probes.push(await probe(owner, other, route, id));
      }
    }
  }
  return probes;
}

async function probe(owner: Merchant, by: Merchant, route: string, id: string): Promise<Probe> {
  const [method = '', template = ''] = route.split(' ');
  const path = template.replace('{id}', id);
  const { status, text } = await anyAnswer(by.client, method, path, method === 'POST' ? { body: {} } : {});
  return { request: `${method} ${path}`, owner: owner.accountId, by: by.accountId, status, text };
}

/** Invariant 6: the owner reads it, and to anybody else it is not there. */
export function findOwnershipViolations(probes: readonly Probe[]): Violation[] {
  return probes.flatMap(({ request: of, owner, by, status, text }): Violation[] => {
    if (owner === by) {
      return status === 200
        ? []
        : [{ invariant: 3, of, what: `answers its owner ${status}: ${text.slice(0, 120)}` }];
    }
    return status === 404
      ? []
      : [{ invariant: 6, of, what: `answers ${by} ${status}: ${text.slice(0, 120)}` }];
  });
}
