// Made from openapi.json by `npm run openapi`.
import type { Schemas } from '../document.ts';

/** Something that a person or a program did. */
export type AuditEntry = Schemas['AuditEntry'];
export type Capture = Schemas['Capture'];
/** A payment with a card. */
export type Charge = Schemas['Charge'];
/** Many charges in one request. */
export type ChargeBatchOperation = Schemas['ChargeBatchOperation'];
export type ChargeFigures = Schemas['ChargeFigures'];
export type ChargePatch = Schemas['ChargePatch'];
/** A payer, with the cards on file. */
export type Customer = Schemas['Customer'];
export type CustomerPatch = Schemas['CustomerPatch'];
export type CustomerReplacement = Schemas['CustomerReplacement'];
/** Files of what each customer has paid and got back. */
export type CustomerReportOperation = Schemas['CustomerReportOperation'];
export type DeliveryFigures = Schemas['DeliveryFigures'];
/** An object without members; it can be left out. */
export type EmptyBody = Schemas['EmptyBody'];
/** A change of a resource. `type` says what changed, and what `data.object` is. */
export type Event = Schemas['Event'];
/** Files of charges, refunds, events and the audit. */
export type ExportOperation = Schemas['ExportOperation'];
export type IdempotencyKey = Schemas['IdempotencyKey'];
/** A person who signs in to the console. */
export type Member = Schemas['Member'];
export type MemberPatch = Schemas['MemberPatch'];
export type NewCharge = Schemas['NewCharge'];
export type NewChargeBatch = Schemas['NewChargeBatch'];
export type NewChargeRefund = Schemas['NewChargeRefund'];
export type NewCustomer = Schemas['NewCustomer'];
export type NewCustomerReport = Schemas['NewCustomerReport'];
/** What to export; `resource` says which filter there is. */
export type NewExport = Schemas['NewExport'];
/** A member to be made. */
export type NewMember = Schemas['NewMember'];
/** A client to be made. */
export type NewOAuthClient = Schemas['NewOAuthClient'];
export type NewRefund = Schemas['NewRefund'];
export type NewWebhookEndpoint = Schemas['NewWebhookEndpoint'];
export type NewWebhookReplay = Schemas['NewWebhookReplay'];
/** A program that takes tokens for the account. */
export type OAuthClient = Schemas['OAuthClient'];
export type OAuthClientSecretRotation = Schemas['OAuthClientSecretRotation'];
/** A client with its new secret. */
export type OAuthClientWithSecret = Schemas['OAuthClientWithSecret'];
/** Work that lasts longer than its request. */
export type Operation = Schemas['Operation'];
export type PaymentMethodAttachment = Schemas['PaymentMethodAttachment'];
export type PaymentMethodDetachment = Schemas['PaymentMethodDetachment'];
/** Money that goes back from one charge. */
export type Refund = Schemas['Refund'];
export type Request = Schemas['Request'];
export type RequestTrace = Schemas['RequestTrace'];
export type SecretRotation = Schemas['SecretRotation'];
/** A session of a member in the console. */
export type Session = Schemas['Session'];
export type TimelineEntry = Schemas['TimelineEntry'];
/** One event for one endpoint. */
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookDeliveryDetail = Schemas['WebhookDeliveryDetail'];
/** A URL that receives events. */
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type WebhookEndpointPatch = Schemas['WebhookEndpointPatch'];
export type WebhookEndpointWithSecret = Schemas['WebhookEndpointWithSecret'];
export type WebhookReplayOperation = Schemas['WebhookReplayOperation'];
