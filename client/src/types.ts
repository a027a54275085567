import type { Body, Item, Query, Result, Schemas } from './document.ts';

/** The resources and requests of the API by name. */

export type Charge = Schemas['Charge'];
export type ChargeStatus = Schemas['ChargeStatus'];
export type Currency = Schemas['Currency'];
export type Customer = Result<'createCustomer'>;
export type Event = Schemas['Event'];
export type Metadata = Schemas['Metadata'];
export type Operation = Schemas['Operation'];
export type OperationResult = NonNullable<Operation['response']>;
export type PaymentMethod = Schemas['PaymentMethod'];
export type Refund = Schemas['Refund'];
export type TimelineEntry = Schemas['TimelineEntry'];
export type WebhookDelivery = Item<'listWebhookEndpointDeliveries'>;
export type WebhookDeliveryDetails = Result<'getWebhookDelivery'>;
export type WebhookEndpoint = Item<'listWebhookEndpoints'>;
/** With the secret, which only this answer shows. */
export type NewWebhookEndpointAnswer = Result<'createWebhookEndpoint'>;
export type IdempotencyKey = Result<'getIdempotencyKey'>;

export type NewCharge = Body<'createCharge'>;
export type NewChargeBatch = Body<'createChargeBatch'>;
export type NewCustomer = Body<'createCustomer'>;
export type NewExport = Body<'createExport'>;
export type NewRefund = Body<'createRefund'>;
export type NewWebhookEndpoint = Body<'createWebhookEndpoint'>;
export type Capture = Body<'captureCharge'>;
export type CustomerReplacement = Body<'replaceCustomer'>;
export type CustomerChange = Body<'updateCustomer'>;
export type WebhookEndpointChange = Body<'updateWebhookEndpoint'>;

export type ChargeFilter = Query<'listCharges'>;
export type CustomerFilter = Query<'listCustomers'>;
export type EventFilter = Query<'listEvents'>;
export type ExportFilter = Query<'listExports'>;
export type ChargeBatchFilter = Query<'listChargeBatches'>;
export type OperationFilter = Query<'listOperations'>;
export type RefundFilter = Query<'listRefunds'>;
