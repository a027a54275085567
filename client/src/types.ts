import type { Query, Schemas } from './document.ts';
import type { IdempotencyKey, Operation, Request } from './resources/types.ts';

/** The resources and requests of the API by name. */

export type * from './resources/types.ts';

export type ChargeStatus = Schemas['ChargeStatus'];
export type Currency = Schemas['Currency'];
export type DeclineCode = Schemas['DeclineCode'];
export type EventType = Schemas['EventType'];
export type ExportRequest = Schemas['ExportRequest'];
export type IdempotencyKeyState = IdempotencyKey;
/** A request of the account, as the service keeps it for 7 days. */
export type LoggedRequest = Request;
export type Metadata = Schemas['Metadata'];
/** The file that an operation leads to. */
export type OperationResult = NonNullable<Operation['response']>;
export type PaymentMethod = Schemas['PaymentMethod'];

export type ChargeFigureQuery = Query<'getChargeFigures'>;
export type AuditEntryQuery = Query<'listAuditEntries'>;
export type ChargeQuery = Query<'listCharges'>;
export type ChargeBatchQuery = Query<'listChargeBatches'>;
export type OAuthClientQuery = Query<'listClients'>;
export type MemberQuery = Query<'listMembers'>;
export type SessionQuery = Query<'listSessions'>;
export type CustomerReportQuery = Query<'listCustomerReports'>;
export type CustomerQuery = Query<'listCustomers'>;
export type DeliveryFigureQuery = Query<'getDeliveryFigures'>;
export type EventQuery = Query<'listEvents'>;
export type ExportQuery = Query<'listExports'>;
export type OperationQuery = Query<'listOperations'>;
export type RefundQuery = Query<'listRefunds'>;
export type TimelineQuery = Query<'getChargeTimeline'>;
/** Of the deliveries of all endpoints. */
export type AccountDeliveryQuery = Query<'listWebhookDeliveries'>;
export type RequestQuery = Query<'listRequests'>;
export type WebhookDeliveryQuery = Query<'listWebhookEndpointDeliveries'>;
export type WebhookEndpointQuery = Query<'listWebhookEndpoints'>;
