import type { Body, Item, Query, Result, Schemas } from './document.ts';

/** The resources and requests of the API by name. */

export type Charge = Schemas['Charge'];
export type ChargeBatchOperation = Schemas['ChargeBatchOperation'];
/** Charges by outcome, step by step. */
export type ChargeFigures = Schemas['ChargeFigures'];
export type ChargeStatus = Schemas['ChargeStatus'];
export type Currency = Schemas['Currency'];
export type Customer = Schemas['Customer'];
/** Attempts by endpoint and result, step by step. */
export type DeliveryFigures = Schemas['DeliveryFigures'];
export type DeclineCode = Schemas['DeclineCode'];
/** A union over `type`. New types may be added: let a switch have a default. */
export type Event = Schemas['Event'];
export type EventType = Schemas['EventType'];
export type ExportRequest = Schemas['ExportRequest'];
export type ExportOperation = Schemas['ExportOperation'];
/** What became of the requests that were sent with a key. */
export type IdempotencyKeyState = Result<'getIdempotencyKey'>;
export type Metadata = Schemas['Metadata'];
/** A union over `type`. */
export type Operation = Schemas['Operation'];
/** The file that an operation leads to. */
export type OperationResult = NonNullable<Operation['response']>;
export type PaymentMethod = Schemas['PaymentMethod'];
export type Refund = Schemas['Refund'];
/** A request of the account, as the service keeps it for 7 days. */
export type LoggedRequest = Item<'listRequests'>;
/** The requests with one trace id. */
export type RequestTrace = Result<'getRequest'>;
export type OAuthClient = Schemas['OAuthClient'];
/** Only the answer to a creation or rotation has the secret. */
export type OAuthClientWithSecret = Schemas['OAuthClientWithSecret'];
export type Member = Schemas['Member'];
export type MemberPatch = Body<'updateMember'>;
export type NewMember = Body<'createMember'>;
export type Session = Schemas['Session'];
export type AuditEntry = Schemas['AuditEntry'];
export type TimelineEntry = Schemas['TimelineEntry'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookDeliveryDetail = Schemas['WebhookDeliveryDetail'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
/** Only the answer to a creation or rotation has the secret. */
export type WebhookEndpointWithSecret = Schemas['WebhookEndpointWithSecret'];
export type WebhookReplayOperation = Schemas['WebhookReplayOperation'];

export type Capture = Schemas['Capture'];
export type ChargePatch = Schemas['ChargePatch'];
export type CustomerPatch = Schemas['CustomerPatch'];
export type CustomerReplacement = Schemas['CustomerReplacement'];
export type EmptyBody = Schemas['EmptyBody'];
export type NewCharge = Schemas['NewCharge'];
export type NewChargeBatch = Schemas['NewChargeBatch'];
export type NewCustomer = Body<'createCustomer'>;
export type NewExport = Schemas['NewExport'];
export type NewRefund = Schemas['NewRefund'];
export type NewOAuthClient = Schemas['NewOAuthClient'];
export type OAuthClientSecretRotation = Schemas['OAuthClientSecretRotation'];
export type NewWebhookEndpoint = Schemas['NewWebhookEndpoint'];
export type NewWebhookReplay = Schemas['NewWebhookReplay'];
export type PaymentMethodAttachment = Schemas['PaymentMethodAttachment'];
export type PaymentMethodDetachment = Schemas['PaymentMethodDetachment'];
export type SecretRotation = Schemas['SecretRotation'];
export type WebhookEndpointPatch = Schemas['WebhookEndpointPatch'];

export type ChargeFigureQuery = Query<'getChargeFigures'>;
export type AuditEntryQuery = Query<'listAuditEntries'>;
export type ChargeQuery = Query<'listCharges'>;
export type ChargeBatchQuery = Query<'listChargeBatches'>;
export type OAuthClientQuery = Query<'listClients'>;
export type MemberQuery = Query<'listMembers'>;
export type SessionQuery = Query<'listSessions'>;
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
