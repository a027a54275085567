// Made from openapi.json by `npm run openapi`.
import type { Caller } from '../caller.ts';
import { Charges, Refunds } from './charges.ts';
import { Customers, IdempotencyKeys, Requests } from './customers.ts';
import { Operations, Exports, ChargeBatches, CustomerReports } from './operations.ts';
import { WebhookEndpoints, WebhookDeliveries, Events } from './webhooks.ts';
import { Clients, Members, Sessions, AuditEntries } from './access.ts';
import { Figures } from './figures.ts';

/** The resources of the API: a method for each operation of its document. */
export class Resources {
  readonly charges: Charges;
  readonly refunds: Refunds;
  readonly customers: Customers;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly requests: Requests;
  readonly operations: Operations;
  readonly exports: Exports;
  readonly chargeBatches: ChargeBatches;
  readonly customerReports: CustomerReports;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly webhookDeliveries: WebhookDeliveries;
  readonly events: Events;
  readonly clients: Clients;
  readonly members: Members;
  readonly sessions: Sessions;
  readonly auditEntries: AuditEntries;
  readonly figures: Figures;

  constructor(caller: Caller) {
    this.charges = new Charges(caller);
    this.refunds = new Refunds(caller);
    this.customers = new Customers(caller);
    this.idempotencyKeys = new IdempotencyKeys(caller);
    this.requests = new Requests(caller);
    this.operations = new Operations(caller);
    this.exports = new Exports(caller);
    this.chargeBatches = new ChargeBatches(caller);
    this.customerReports = new CustomerReports(caller);
    this.webhookEndpoints = new WebhookEndpoints(caller);
    this.webhookDeliveries = new WebhookDeliveries(caller);
    this.events = new Events(caller);
    this.clients = new Clients(caller);
    this.members = new Members(caller);
    this.sessions = new Sessions(caller);
    this.auditEntries = new AuditEntries(caller);
    this.figures = new Figures(caller);
  }
}
