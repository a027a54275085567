import { Caller } from './caller.ts';
import type { Answer, RequestOptions } from './calls.ts';
import type { ClientOptions } from './options.ts';
import { AuditEntries } from './resources/audit-entries.ts';
import { ChargeBatches } from './resources/charge-batches.ts';
import { Charges } from './resources/charges.ts';
import { Clients } from './resources/clients.ts';
import { Customers } from './resources/customers.ts';
import { Events } from './resources/events.ts';
import { Exports } from './resources/exports.ts';
import { Figures } from './resources/figures.ts';
import { IdempotencyKeys } from './resources/idempotency-keys.ts';
import { Members } from './resources/members.ts';
import { Operations } from './resources/operations.ts';
import { Refunds } from './resources/refunds.ts';
import { Requests } from './resources/requests.ts';
import { Sessions } from './resources/sessions.ts';
import { WebhookDeliveries } from './resources/webhook-deliveries.ts';
import { WebhookEndpoints } from './resources/webhook-endpoints.ts';
import { Webhooks } from './webhooks.ts';
import { Wire } from './wire.ts';

/**
 * A client of the payments API.
 *
 * ```ts
 * const client = new Payments({ baseUrl, clientId, clientSecret });
 * const charge = await client.charges.create({ amount: 1999, currency: 'EUR', payment_method: 'tok_visa' });
 * ```
 *
 * Every POST gets a key of its own, and every retry of it the same key, so that a retry never pays twice.
 */
export class Payments {
  readonly charges: Charges;
  readonly refunds: Refunds;
  readonly customers: Customers;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly webhookDeliveries: WebhookDeliveries;
  readonly events: Events;
  readonly exports: Exports;
  readonly chargeBatches: ChargeBatches;
  readonly operations: Operations;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly figures: Figures;
  readonly requests: Requests;
  readonly clients: Clients;
  readonly members: Members;
  readonly sessions: Sessions;
  readonly auditEntries: AuditEntries;
  /** Verifies deliveries. */
  readonly webhooks: Webhooks;
  readonly #wire: Wire;

  /** @throws {PaymentsError} if `baseUrl` is not a URL, or there are no credentials. */
  constructor(options: ClientOptions) {
    this.#wire = new Wire(options);
    const caller = new Caller(this.#wire);
    this.charges = new Charges(caller);
    this.refunds = new Refunds(caller);
    this.customers = new Customers(caller);
    this.webhookEndpoints = new WebhookEndpoints(caller);
    this.webhookDeliveries = new WebhookDeliveries(caller);
    this.events = new Events(caller);
    this.exports = new Exports(caller);
    this.chargeBatches = new ChargeBatches(caller);
    this.operations = new Operations(caller);
    this.idempotencyKeys = new IdempotencyKeys(caller);
    this.figures = new Figures(caller);
    this.requests = new Requests(caller);
    this.clients = new Clients(caller);
    this.members = new Members(caller);
    this.sessions = new Sessions(caller);
    this.auditEntries = new AuditEntries(caller);
    this.webhooks = new Webhooks();
  }

  /**
   * Sends any request, with this client's token, keys and retries. Without `apiVersion` the answer is in the version
   * of the account.
   *
   * @throws {ProblemError} for an answer of 400 or more; its `answer` has all of it.
   * @throws {ConnectionError} if no attempt got an answer.
   */
  request<Body = unknown>(method: string, path: string, options?: RequestOptions): Promise<Answer<Body>> {
    return this.#wire.send(method, path, options);
  }

  /** Returns this client's token, for requests outside of it. @throws {TokenError} */
  accessToken(): Promise<string> {
    return this.#wire.tokens.current();
  }
}
