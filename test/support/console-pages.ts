import { actions, handlers, pages } from '#console/pages.ts';
import { beginReconciliation, endReconciliation } from '#db/operator/reconciliations.ts';
import { newId } from '#db/new-id.ts';
import type { Scope } from '#domain/scopes.ts';
import { createEstate, type Estate } from './route-requests.ts';
import { environment } from './stack/environment.ts';
import { createMerchant } from './resources/merchant.ts';
import type { TestConsole, Visitor } from './stack/console.ts';

/** Every address of the console, as its own table has it. A test that walks them knows of new ones by itself. */

/** What a page of the console can name, of one account. */
export interface ConsoleEstate extends Estate {
  client: string;
  member: string;
  session: string;
  account: string;
  /** One that found nothing. */
  reconciliation: string;
}

export interface Place {
  template: string;
  scope: Scope | null;
  kind: 'page' | 'action' | 'download' | 'post';
}

/** Pages, forms and downloads, and what takes a form alone. */
export const places: readonly Place[] = [
  ...pages.map(({ path, scope }): Place => ({ template: path, scope, kind: 'page' })),
  ...actions.map(({ path, scope }): Place => ({ template: path, scope, kind: 'action' })),
  ...handlers.map(({ path, scope, method }): Place => ({
    template: path,
    scope,
    kind: method === 'GET' ? 'download' : 'post',
  })),
];

/** Whether a person can open the place by its address. */
export const canOpen = ({ kind }: Place) => kind !== 'post';

/** Those that a person of an account looks at; the others are for operators. */
export const isForOperators = ({ scope }: Place) => scope?.startsWith('operator:') ?? false;

/** Makes an account with one of everything, and a developer who has signed in. */
export async function createConsoleEstate(
  on: TestConsole,
): Promise<{ estate: ConsoleEstate; developer: Visitor }> {
  const merchant = await createMerchant();
  const developer = await on.signIn({ accountId: merchant.accountId, role: 'developer' });
  const estate = {
    ...(await createEstate(merchant)),
    client: merchant.clientId,
    member: developer.session.member.id,
    session: developer.session.id,
    account: merchant.accountId,
    reconciliation: await addReconciliation(),
  };
  return { estate, developer };
}

async function addReconciliation(): Promise<string> {
  const { db } = await environment();
  const id = newId('reconciliation');
  await beginReconciliation(db, { id, runId: id, repair: false });
  const counts = { chargesCompared: 0, refundsCompared: 0, movementsCompared: 0, unread: [], unexamined: 0 };
  await endReconciliation(db, id, { ...counts, findings: [] });
  return id;
}

/** What the parameter of a template names, by the start of the template; the first that fits counts. */
const named: [start: string, member: Exclude<keyof ConsoleEstate, 'merchant'>][] = [
  ['/payments/{id}/capture', 'authorized'],
  ['/payments/{id}/cancel', 'authorized'],
  ['/payments/{id}', 'charge'],
  ['/refunds/{id}', 'refund'],
  ['/customers/{id}', 'customer'],
  ['/requests/{trace_id}', 'trace'],
  ['/operations/{id}', 'operation'],
  ['/webhooks/deliveries/{id}', 'webhookDelivery'],
  ['/webhooks/events/{id}', 'event'],
  ['/webhooks/{id}', 'webhookEndpoint'],
  ['/access/clients/{id}', 'client'],
  ['/access/members/{id}', 'member'],
  ['/access/sessions/{id}', 'session'],
  ['/service/unknown-outcomes/{id}', 'charge'],
  ['/service/reconciliations/{id}', 'reconciliation'],
  ['/service/accounts/{id}', 'account'],
];

/** The ids of an estate, each of which another account must never see. */
export function listIds(estate: ConsoleEstate): string[] {
  return Object.values(estate).filter((value): value is string => typeof value === 'string');
}

/**
 * The address of a place with what the estate has for its parameter.
 *
 * @throws for a template that names what no estate has: then it belongs here.
 */
export function fillTemplate({ template }: Place, estate: ConsoleEstate): string {
  if (!template.includes('{')) return template;
  const member = named.find(([start]) => template.startsWith(start))?.[1];
  if (!member) throw new Error(`test/support/console-pages.ts has nothing for ${template}`);
  return template.replace(/\{\w+\}/, estate[member]);
}
