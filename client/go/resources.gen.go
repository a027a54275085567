// Code generated from openapi.json by npm run openapi. DO NOT EDIT.

package payments

import (
	"context"
	"io"
	"iter"
)

// Resources are the resources of the API: a method for each operation of its document.
type Resources struct {
	Charges           *Charges
	Refunds           *Refunds
	Customers         *Customers
	IdempotencyKeys   *IdempotencyKeys
	Requests          *Requests
	Operations        *Operations
	Exports           *Exports
	ChargeBatches     *ChargeBatches
	CustomerReports   *CustomerReports
	WebhookEndpoints  *WebhookEndpoints
	WebhookDeliveries *WebhookDeliveries
	Events            *Events
	Clients           *Clients
	Members           *Members
	Sessions          *Sessions
	AuditEntries      *AuditEntries
	Figures           *Figures
}

func newResources(c *Client) Resources {
	return Resources{
		Charges:           &Charges{c},
		Refunds:           &Refunds{c},
		Customers:         &Customers{c},
		IdempotencyKeys:   &IdempotencyKeys{c},
		Requests:          &Requests{c},
		Operations:        &Operations{c},
		Exports:           &Exports{c},
		ChargeBatches:     &ChargeBatches{c},
		CustomerReports:   &CustomerReports{c},
		WebhookEndpoints:  &WebhookEndpoints{c},
		WebhookDeliveries: &WebhookDeliveries{c},
		Events:            &Events{c},
		Clients:           &Clients{c},
		Members:           &Members{c},
		Sessions:          &Sessions{c},
		AuditEntries:      &AuditEntries{c},
		Figures:           &Figures{c},
	}
}

// Charges: payments with a card, in one step or in two.
type Charges struct{ c *Client }

// Create a charge. Takes a payment, or reserves it with `capture_method` `manual`. The answer waits up to 10 seconds
// for the outcome. After a timeout or a 5xx, send the same request with the same key: the buyer is never charged
// twice. A *CardDeclinedError says that the card was declined; its Charge names the failed charge.
func (r *Charges) Create(ctx context.Context, body NewCharge, options ...CallOption) (*Charge, error) {
	return send[Charge](ctx, r.c, opCreateCharge, "", nil, body, options)
}

// List charges, newest first. All filters must hold.
func (r *Charges) List(
	ctx context.Context, params ListChargesParams, options ...CallOption,
) iter.Seq2[Charge, error] {
	return list[Charge](ctx, r.c, opListCharges, "", params, options)
}

// Get: read a charge. Returns the charge as it is now. While it is `pending`, `Retry-After` says when to read it
// again. WithAnswer keeps its ETag, which a change needs.
func (r *Charges) Get(ctx context.Context, id string, options ...CallOption) (*Charge, error) {
	return send[Charge](ctx, r.c, opGetCharge, id, nil, nil, options)
}

// Update: change the reference, the description or the metadata of a charge (RFC 7386). A member that is left out
// stays; `null` removes it. It works in every state of the charge and moves no money. The processor is not told: it
// keeps the description that the charge was made with. A change is told by `charge.updated`. WithNull removes
// members. It needs WithIfMatch: the ETag as it was read, or "*" for any.
func (r *Charges) Update(ctx context.Context, id string, body ChargePatch, options ...CallOption) (*Charge, error) {
	return send[Charge](ctx, r.c, opUpdateCharge, id, nil, body, options)
}

// Capture an authorized charge once, in full or in part. Takes the reserved money. With `amount`, takes that part,
// and the rest is released for good. The charge must read `requires_capture`. A *CardDeclinedError says that the card
// was declined; its Charge names the failed charge.
func (r *Charges) Capture(ctx context.Context, id string, body Capture, options ...CallOption) (*Charge, error) {
	return send[Charge](ctx, r.c, opCaptureCharge, id, nil, body, options)
}

// Cancel a charge: void its authorization, or request the cancel while the outcome is unknown. An authorization is
// voided, and the charge reads `cancelled`. While the outcome is unknown, the cancel is recorded: the charge stays
// `pending` with `cancel_requested_at`. A cancel that is recorded is kept: what the processor has taken by then is
// given back, and the charge ends `cancelled`, or `failed` if it was declined. A cancel that comes after the outcome
// changes nothing. To give money back, refund the charge.
func (r *Charges) Cancel(ctx context.Context, id string, options ...CallOption) (*Charge, error) {
	return send[Charge](ctx, r.c, opCancelCharge, id, nil, EmptyBody{}, options)
}

// Timeline: list the steps of a charge and its refunds, oldest first. Shows each call to the processor, each answer
// and wait, and each delivery of an event of the charge.
func (r *Charges) Timeline(
	ctx context.Context, id string, params GetChargeTimelineParams, options ...CallOption,
) iter.Seq2[TimelineEntry, error] {
	return list[TimelineEntry](ctx, r.c, opGetChargeTimeline, id, params, options)
}

// Refunds: money returned from one charge, in full or in part.
type Refunds struct{ c *Client }

// Create: refund a charge, in full or in part. Gives money back to the buyer. Several refunds are possible, up to
// what was taken. Without `amount`, all that is left goes back.
func (r *Refunds) Create(ctx context.Context, body NewRefund, options ...CallOption) (*Refund, error) {
	return send[Refund](ctx, r.c, opCreateRefund, "", nil, body, options)
}

// List refunds, newest first. All filters must hold.
func (r *Refunds) List(
	ctx context.Context, params ListRefundsParams, options ...CallOption,
) iter.Seq2[Refund, error] {
	return list[Refund](ctx, r.c, opListRefunds, "", params, options)
}

// CreateForCharge: refund this charge, in full or in part. The same as `POST /v1/refunds`, with the charge in the
// path. `If-Match` is about the charge.
func (r *Refunds) CreateForCharge(
	ctx context.Context, charge string, body NewChargeRefund, options ...CallOption,
) (*Refund, error) {
	return send[Refund](ctx, r.c, opCreateChargeRefund, charge, nil, body, options)
}

// Get: read a refund. Returns the refund as it is now. While it is `pending`, `Retry-After` says when to read it
// again.
func (r *Refunds) Get(ctx context.Context, id string, options ...CallOption) (*Refund, error) {
	return send[Refund](ctx, r.c, opGetRefund, id, nil, nil, options)
}

// Cancel: reverse a processed refund, until its `reversible_until`. Takes the refund back: the buyer gets nothing,
// and the amount can be refunded again. It is possible while the refund reads `processed`.
func (r *Refunds) Cancel(ctx context.Context, id string, options ...CallOption) (*Refund, error) {
	return send[Refund](ctx, r.c, opCancelRefund, id, nil, EmptyBody{}, options)
}

// Customers: payers, and the cards that they pay with.
type Customers struct{ c *Client }

// Create a customer. Stores a payer. Cards are attached later, with `:attach-payment-method`. A repeat of the request
// after the deletion of the customer is a 410.
func (r *Customers) Create(ctx context.Context, body NewCustomer, options ...CallOption) (*Customer, error) {
	return send[Customer](ctx, r.c, opCreateCustomer, "", nil, body, options)
}

// List customers, newest first. Returns customers, without deleted ones.
func (r *Customers) List(
	ctx context.Context, params ListCustomersParams, options ...CallOption,
) iter.Seq2[Customer, error] {
	return list[Customer](ctx, r.c, opListCustomers, "", params, options)
}

// Get: read a customer. Returns the customer with its cards. A customer that was deleted is a 410 for the account
// that owned it. WithAnswer keeps its ETag, which a change needs.
func (r *Customers) Get(ctx context.Context, id string, options ...CallOption) (*Customer, error) {
	return send[Customer](ctx, r.c, opGetCustomer, id, nil, nil, options)
}

// Replace a customer; a member that is left out is reset. Sets all members of the profile at once. The cards stay. It
// needs `If-Match`, so that no other change is lost. It needs WithIfMatch: the ETag as it was read, or "*" for any.
func (r *Customers) Replace(
	ctx context.Context, id string, body CustomerReplacement, options ...CallOption,
) (*Customer, error) {
	return send[Customer](ctx, r.c, opReplaceCustomer, id, nil, body, options)
}

// Update: change a customer (RFC 7386); a member that is left out stays. Sets the members that are sent; `null`
// resets one. It needs `If-Match`, so that no other change is lost. WithNull removes members. It needs WithIfMatch:
// the ETag as it was read, or "*" for any.
func (r *Customers) Update(
	ctx context.Context, id string, body CustomerPatch, options ...CallOption,
) (*Customer, error) {
	return send[Customer](ctx, r.c, opUpdateCustomer, id, nil, body, options)
}

// Delete a customer with its payment methods; its charges stay. Erases the name, the email address and the cards for
// good, in events and in stored answers too. Its charges and refunds stay, and show its id. It is no error if an
// earlier attempt, whose answer was lost, has done it.
func (r *Customers) Delete(ctx context.Context, id string, options ...CallOption) error {
	_, err := send[struct{}](ctx, r.c, opDeleteCustomer, id, nil, nil, options)
	return err
}

// AttachPaymentMethod: store the card of a token; it becomes the first payment method. The processor describes the
// card of the token: a token that it does not know is a 422. A customer has at most 100 cards.
func (r *Customers) AttachPaymentMethod(
	ctx context.Context, id string, body PaymentMethodAttachment, options ...CallOption,
) (*Customer, error) {
	return send[Customer](ctx, r.c, opAttachPaymentMethod, id, nil, body, options)
}

// DetachPaymentMethod: remove a payment method; charges made with it continue. The card cannot be charged any more.
// If it was the default one, the customer has none then.
func (r *Customers) DetachPaymentMethod(
	ctx context.Context, id string, body PaymentMethodDetachment, options ...CallOption,
) (*Customer, error) {
	return send[Customer](ctx, r.c, opDetachPaymentMethod, id, nil, body, options)
}

// IdempotencyKeys: what became of the requests of a key.
type IdempotencyKeys struct{ c *Client }

// Get: read the uses of an Idempotency-Key. For a caller that lost an answer and does not want to send the request
// again. A key can be used once for each endpoint. It is kept for as long as its resource may still change, and for
// 24 hours after its answer and after the end of its resource.
func (r *IdempotencyKeys) Get(ctx context.Context, key string, options ...CallOption) (*IdempotencyKey, error) {
	return send[IdempotencyKey](ctx, r.c, opGetIdempotencyKey, key, nil, nil, options)
}

// Requests: what the account asked of the service in the last 7 days.
type Requests struct{ c *Client }

// List the requests of the account, newest first. Writes, and reads that were refused, of the last 7 days. They
// appear about a second after their answer. Those of the last second before a crash may be missing. Of requests that
// were refused alike, 50 at once and one in two seconds are shown each; the others read as one request a minute with
// their `count`. No body, query or header is kept.
func (r *Requests) List(
	ctx context.Context, params ListRequestsParams, options ...CallOption,
) iter.Seq2[Request, error] {
	return list[Request](ctx, r.c, opListRequests, "", params, options)
}

// Get: read what a trace id did: the requests that were made with it. Writes, and reads that were refused, of the
// last 7 days. They appear about a second after their answer. Those of the last second before a crash may be missing.
// Of requests that were refused alike, 50 at once and one in two seconds are shown each; the others read as one
// request a minute with their `count`. No body, query or header is kept. Requests that name the same trace in
// `traceparent` are shown together.
func (r *Requests) Get(ctx context.Context, traceID string, options ...CallOption) (*RequestTrace, error) {
	return send[RequestTrace](ctx, r.c, opGetRequest, traceID, nil, nil, options)
}

// Operations: work that lasts longer than its request.
type Operations struct{ c *Client }

// Result writes the file, and goes on where a connection is cut. A *DownloadError says that it has another SHA-256
// than it should.
func (r *Operations) Result(ctx context.Context, id string, to io.Writer, options ...CallOption) (int64, error) {
	return r.c.download(ctx, opGetOperation, id, to, options)
}

// List operations, newest first. All filters must hold. Finished operations are kept for 30 days.
func (r *Operations) List(
	ctx context.Context, params ListOperationsParams, options ...CallOption,
) iter.Seq2[Operation, error] {
	return list[Operation](ctx, r.c, opListOperations, "", params, options)
}

// Get: read an operation. Poll it until `done` is true, no faster than `Retry-After` says. It can be read for 30 days
// after its end.
func (r *Operations) Get(ctx context.Context, id string, options ...CallOption) (*Operation, error) {
	return send[Operation](ctx, r.c, opGetOperation, id, nil, nil, options)
}

// Delete: cancel an operation, as `:cancel` does; it stays readable. The same as `POST /v1/operations/{id}:cancel`,
// without a body.
func (r *Operations) Delete(ctx context.Context, id string, options ...CallOption) (*Operation, error) {
	return send[Operation](ctx, r.c, opDeleteOperation, id, nil, nil, options)
}

// Cancel an operation; one that is done stays as it is. A request, not a guarantee: the work stops as soon as it can.
// What was done by then stays done. Poll the operation to learn how it ends.
func (r *Operations) Cancel(ctx context.Context, id string, options ...CallOption) (*Operation, error) {
	return send[Operation](ctx, r.c, opCancelOperation, id, nil, EmptyBody{}, options)
}

// Exports: files of charges, refunds, events and the audit.
type Exports struct{ c *Client }

// Create: export charges, refunds, events or the audit to a file. The file holds every row that exists when the
// export is accepted, and no later one. Poll the operation for the link to the file, no faster than `Retry-After`
// says. Make the body with NewExport.FromNewChargeExport and its like. Operations.Wait waits for it.
func (r *Exports) Create(ctx context.Context, body NewExport, options ...CallOption) (*ExportOperation, error) {
	return send[ExportOperation](ctx, r.c, opCreateExport, "", nil, body, options)
}

// List exports, newest first. All filters must hold. Finished operations are kept for 30 days.
func (r *Exports) List(
	ctx context.Context, params ListExportsParams, options ...CallOption,
) iter.Seq2[ExportOperation, error] {
	return list[ExportOperation](ctx, r.c, opListExports, "", params, options)
}

// Get: read an export. Poll it until `done` is true, no faster than `Retry-After` says. It can be read for 30 days
// after its end.
func (r *Exports) Get(ctx context.Context, id string, options ...CallOption) (*ExportOperation, error) {
	return send[ExportOperation](ctx, r.c, opGetExport, id, nil, nil, options)
}

// Cancel an export; one that is done stays as it is. A request, not a guarantee: the work stops as soon as it can.
// What was done by then stays done. Poll the operation to learn how it ends.
func (r *Exports) Cancel(ctx context.Context, id string, options ...CallOption) (*ExportOperation, error) {
	return send[ExportOperation](ctx, r.c, opCancelExport, id, nil, EmptyBody{}, options)
}

// Download writes the file, and goes on where a connection is cut. A *DownloadError says that it has another SHA-256
// than it should.
func (r *Exports) Download(ctx context.Context, id string, to io.Writer, options ...CallOption) (int64, error) {
	return r.c.download(ctx, opGetExport, id, to, options)
}

// ChargeBatches: many charges in one request.
type ChargeBatches struct{ c *Client }

// Create: submit a batch of charges. Submits up to 10,000 charges. Each succeeds or fails on its own. Poll the
// operation. Its result is a file of `application/x-ndjson` with one line for each row, in the order of the request.
// Operations.Wait waits for it.
func (r *ChargeBatches) Create(
	ctx context.Context, body NewChargeBatch, options ...CallOption,
) (*ChargeBatchOperation, error) {
	return send[ChargeBatchOperation](ctx, r.c, opCreateChargeBatch, "", nil, body, options)
}

// List charge batches, newest first. All filters must hold. Finished operations are kept for 30 days.
func (r *ChargeBatches) List(
	ctx context.Context, params ListChargeBatchesParams, options ...CallOption,
) iter.Seq2[ChargeBatchOperation, error] {
	return list[ChargeBatchOperation](ctx, r.c, opListChargeBatches, "", params, options)
}

// Get: read a charge batch. Poll it until `done` is true, no faster than `Retry-After` says. It can be read for 30
// days after its end.
func (r *ChargeBatches) Get(ctx context.Context, id string, options ...CallOption) (*ChargeBatchOperation, error) {
	return send[ChargeBatchOperation](ctx, r.c, opGetChargeBatch, id, nil, nil, options)
}

// Cancel a charge batch; one that is done stays as it is. A request, not a guarantee: the work stops as soon as it
// can. What was done by then stays done. Poll the operation to learn how it ends.
func (r *ChargeBatches) Cancel(ctx context.Context, id string, options ...CallOption) (*ChargeBatchOperation, error) {
	return send[ChargeBatchOperation](ctx, r.c, opCancelChargeBatch, id, nil, EmptyBody{}, options)
}

// Download writes the file, and goes on where a connection is cut. A *DownloadError says that it has another SHA-256
// than it should.
func (r *ChargeBatches) Download(ctx context.Context, id string, to io.Writer, options ...CallOption) (int64, error) {
	return r.c.download(ctx, opGetChargeBatch, id, to, options)
}

// CustomerReports: files of what each customer has paid and got back.
type CustomerReports struct{ c *Client }

// Create: report to a file what each customer has paid. The file has a line for each customer that has paid, and for
// each currency: `customer`, `currency`, `charges` (how many were captured), `amount_captured`, `amount_refunded`
// (with refunds that are under way), `amount_returned`, and `last_captured`. Charges without a customer are in no
// line. It is made of every charge that exists when the report is accepted, and of no later one. Poll the operation
// for the link to the file, no faster than `Retry-After` says. Operations.Wait waits for it.
func (r *CustomerReports) Create(
	ctx context.Context, body NewCustomerReport, options ...CallOption,
) (*CustomerReportOperation, error) {
	return send[CustomerReportOperation](ctx, r.c, opCreateCustomerReport, "", nil, body, options)
}

// List customer reports, newest first. All filters must hold. Finished operations are kept for 30 days.
func (r *CustomerReports) List(
	ctx context.Context, params ListCustomerReportsParams, options ...CallOption,
) iter.Seq2[CustomerReportOperation, error] {
	return list[CustomerReportOperation](ctx, r.c, opListCustomerReports, "", params, options)
}

// Get: read a customer report. Poll it until `done` is true, no faster than `Retry-After` says. It can be read for 30
// days after its end.
func (r *CustomerReports) Get(
	ctx context.Context, id string, options ...CallOption,
) (*CustomerReportOperation, error) {
	return send[CustomerReportOperation](ctx, r.c, opGetCustomerReport, id, nil, nil, options)
}

// Cancel a customer report; one that is done stays as it is. A request, not a guarantee: the work stops as soon as it
// can. What was done by then stays done. Poll the operation to learn how it ends.
func (r *CustomerReports) Cancel(
	ctx context.Context, id string, options ...CallOption,
) (*CustomerReportOperation, error) {
	return send[CustomerReportOperation](ctx, r.c, opCancelCustomerReport, id, nil, EmptyBody{}, options)
}

// Download writes the file, and goes on where a connection is cut. A *DownloadError says that it has another SHA-256
// than it should.
func (r *CustomerReports) Download(
	ctx context.Context, id string, to io.Writer, options ...CallOption,
) (int64, error) {
	return r.c.download(ctx, opGetCustomerReport, id, to, options)
}

// WebhookEndpoints: where webhooks are sent to.
type WebhookEndpoints struct{ c *Client }

// Create: register a URL that receives events. The answer shows the secret that verifies signatures, and no later
// answer does. The host must have public addresses only.
func (r *WebhookEndpoints) Create(
	ctx context.Context, body NewWebhookEndpoint, options ...CallOption,
) (*WebhookEndpointWithSecret, error) {
	return send[WebhookEndpointWithSecret](ctx, r.c, opCreateWebhookEndpoint, "", nil, body, options)
}

// List webhook endpoints, newest first. Returns endpoints, without deleted ones. An account has at most 100, and at
// most 5 that are enabled with one URL.
func (r *WebhookEndpoints) List(
	ctx context.Context, params ListWebhookEndpointsParams, options ...CallOption,
) iter.Seq2[WebhookEndpoint, error] {
	return list[WebhookEndpoint](ctx, r.c, opListWebhookEndpoints, "", params, options)
}

// Get: read a webhook endpoint and its state. Returns the endpoint, without the values of its secrets.
// `failing_since` and `last_failure` say how its deliveries go. WithAnswer keeps its ETag, which a change needs.
func (r *WebhookEndpoints) Get(ctx context.Context, id string, options ...CallOption) (*WebhookEndpoint, error) {
	return send[WebhookEndpoint](ctx, r.c, opGetWebhookEndpoint, id, nil, nil, options)
}

// Update: change a webhook endpoint (RFC 7386); disabling it cancels its open deliveries. Sets the members that are
// sent. An endpoint that is enabled again gets the events from then on: use `:replay` for those between. It needs
// `If-Match`. WithNull removes members. It needs WithIfMatch: the ETag as it was read, or "*" for any.
func (r *WebhookEndpoints) Update(
	ctx context.Context, id string, body WebhookEndpointPatch, options ...CallOption,
) (*WebhookEndpoint, error) {
	return send[WebhookEndpoint](ctx, r.c, opUpdateWebhookEndpoint, id, nil, body, options)
}

// Delete a webhook endpoint and cancel its open deliveries; all stay readable. Nothing is sent to the endpoint any
// more. Its deliveries can still be read for 30 days. It is no error if an earlier attempt, whose answer was lost,
// has done it.
func (r *WebhookEndpoints) Delete(ctx context.Context, id string, options ...CallOption) error {
	_, err := send[struct{}](ctx, r.c, opDeleteWebhookEndpoint, id, nil, nil, options)
	return err
}

// RotateSecret: create a new secret; the current one signs beside it for a while. Deliveries are signed with both
// secrets for `overlap_seconds`, so that receivers can change over. The answer shows the new secret, and no later
// answer does.
func (r *WebhookEndpoints) RotateSecret(
	ctx context.Context, id string, body SecretRotation, options ...CallOption,
) (*WebhookEndpointWithSecret, error) {
	return send[WebhookEndpointWithSecret](ctx, r.c, opRotateWebhookEndpointSecret, id, nil, body, options)
}

// Replay past events to this endpoint, including types it was not subscribed to. The answer is an operation. Read and
// cancel it under `/v1/operations`. Its result is `{endpoint, dry_run, matched, replayed}`. A replayed event keeps
// its id. Operations.Wait waits for it.
func (r *WebhookEndpoints) Replay(
	ctx context.Context, id string, body NewWebhookReplay, options ...CallOption,
) (*WebhookReplayOperation, error) {
	return send[WebhookReplayOperation](ctx, r.c, opReplayWebhookEndpoint, id, nil, body, options)
}

// Deliveries: list the deliveries of a webhook endpoint, newest first. Returns deliveries of the last 30 days,
// without their attempts.
func (r *WebhookEndpoints) Deliveries(
	ctx context.Context, id string, params ListWebhookEndpointDeliveriesParams, options ...CallOption,
) iter.Seq2[WebhookDelivery, error] {
	return list[WebhookDelivery](ctx, r.c, opListWebhookEndpointDeliveries, id, params, options)
}

// Test: send an event `endpoint.test` to this endpoint only. The event shows the endpoint itself. It is sent whatever
// types the endpoint subscribed to, and retried like any other.
func (r *WebhookEndpoints) Test(ctx context.Context, id string, options ...CallOption) (*WebhookDelivery, error) {
	return send[WebhookDelivery](ctx, r.c, opTestWebhookEndpoint, id, nil, EmptyBody{}, options)
}

// WebhookDeliveries: what was sent to endpoints.
type WebhookDeliveries struct{ c *Client }

// List the deliveries of all webhook endpoints, newest first. `status=undelivered` shows what your receivers do not
// have. Deliveries of deleted endpoints are not shown.
func (r *WebhookDeliveries) List(
	ctx context.Context, params ListWebhookDeliveriesParams, options ...CallOption,
) iter.Seq2[WebhookDelivery, error] {
	return list[WebhookDelivery](ctx, r.c, opListWebhookDeliveries, "", params, options)
}

// Get: read a delivery with every attempt. Shows when each attempt was made, what the endpoint answered, and how long
// it took.
func (r *WebhookDeliveries) Get(
	ctx context.Context, id string, options ...CallOption,
) (*WebhookDeliveryDetail, error) {
	return send[WebhookDeliveryDetail](ctx, r.c, opGetWebhookDelivery, id, nil, nil, options)
}

// Replay: send the event of a delivery to its endpoint again, whatever its outcome. Makes a new delivery of the same
// event, with the same `webhook-id`. The endpoint must be enabled.
func (r *WebhookDeliveries) Replay(ctx context.Context, id string, options ...CallOption) (*WebhookDelivery, error) {
	return send[WebhookDelivery](ctx, r.c, opReplayWebhookDelivery, id, nil, EmptyBody{}, options)
}

// Events: what happened in the last 30 days.
type Events struct{ c *Client }

// Get: read an event of the last 30 days. Returns what was sent to endpoints, in the version of the request.
func (r *Events) Get(ctx context.Context, id string, options ...CallOption) (*Event, error) {
	return send[Event](ctx, r.c, opGetEvent, id, nil, nil, options)
}

// List the events of the last 30 days by `sequence`, newest first. To follow the events of an account, ask for
// `order=asc&after_sequence=N`, where N is the `sequence` of the last event that you have processed, 0 at first.
// Sequences have no gaps and are given in the order of the commits, so nothing appears later between two events that
// you have seen. If the first event without other filters is not N + 1, the events between are older than 30 days.
func (r *Events) List(ctx context.Context, params ListEventsParams, options ...CallOption) iter.Seq2[Event, error] {
	return list[Event](ctx, r.c, opListEvents, "", params, options)
}

// Clients: the programs that take tokens for the account.
type Clients struct{ c *Client }

// List the clients of the account, newest first. Returns clients, disabled ones too, without their secrets.
func (r *Clients) List(
	ctx context.Context, params ListClientsParams, options ...CallOption,
) iter.Seq2[OAuthClient, error] {
	return list[OAuthClient](ctx, r.c, opListClients, "", params, options)
}

// Create a client with a secret. The answer shows the secret, and no later answer does. A client gets no scope that
// the token lacks. An account has at most 100 clients.
func (r *Clients) Create(
	ctx context.Context, body NewOAuthClient, options ...CallOption,
) (*OAuthClientWithSecret, error) {
	return send[OAuthClientWithSecret](ctx, r.c, opCreateClient, "", nil, body, options)
}

// Get: read a client, without its secrets. Returns what the client may do, and how it proves itself.
func (r *Clients) Get(ctx context.Context, id string, options ...CallOption) (*OAuthClient, error) {
	return send[OAuthClient](ctx, r.c, opGetClient, id, nil, nil, options)
}

// RotateSecret: give a client a new secret; the current one stays valid for a while. The answer shows the new secret,
// and no later answer does. A secret that is older than the current one ends at once. The token needs every scope of
// the client. With `overlap_seconds` 0 the current secret ends at once. Tokens that were taken with it live for up to
// 10 minutes, unless the client is disabled.
func (r *Clients) RotateSecret(
	ctx context.Context, id string, body OAuthClientSecretRotation, options ...CallOption,
) (*OAuthClientWithSecret, error) {
	return send[OAuthClientWithSecret](ctx, r.c, opRotateClientSecret, id, nil, body, options)
}

// Disable: refuse a client new tokens, and revoke those it has within 5 s. A client that is in this state already
// stays as it is. The token needs every scope of the client.
func (r *Clients) Disable(ctx context.Context, id string, options ...CallOption) (*OAuthClient, error) {
	return send[OAuthClient](ctx, r.c, opDisableClient, id, nil, EmptyBody{}, options)
}

// Enable: give a client tokens again; its old ones stay revoked. A client that is in this state already stays as it
// is. The token needs every scope of the client.
func (r *Clients) Enable(ctx context.Context, id string, options ...CallOption) (*OAuthClient, error) {
	return send[OAuthClient](ctx, r.c, opEnableClient, id, nil, EmptyBody{}, options)
}

// Members: the people of the account, who sign in to the console.
type Members struct{ c *Client }

// List the members of the account, newest first. The people who may sign in to the console, disabled ones too.
func (r *Members) List(
	ctx context.Context, params ListMembersParams, options ...CallOption,
) iter.Seq2[Member, error] {
	return list[Member](ctx, r.c, opListMembers, "", params, options)
}

// Create a member, who may sign in to the console. The token needs every scope of the role. An account has at most
// 500 members. An e-mail address belongs to one member of the account. A person may be a member of several accounts,
// which do not learn of each other.
func (r *Members) Create(ctx context.Context, body NewMember, options ...CallOption) (*Member, error) {
	return send[Member](ctx, r.c, opCreateMember, "", nil, body, options)
}

// Get: read a member of the account. Returns a person of the account. Operators of the service belong to no account.
// WithAnswer keeps its ETag, which a change needs.
func (r *Members) Get(ctx context.Context, id string, options ...CallOption) (*Member, error) {
	return send[Member](ctx, r.c, opGetMember, id, nil, nil, options)
}

// Update: change the name or the role of a member (RFC 7386). The token needs every scope of the role, and of the new
// one. Another role ends the sessions of the member within 5 s. It needs `If-Match`. WithNull removes members. It
// needs WithIfMatch: the ETag as it was read, or "*" for any.
func (r *Members) Update(ctx context.Context, id string, body MemberPatch, options ...CallOption) (*Member, error) {
	return send[Member](ctx, r.c, opUpdateMember, id, nil, body, options)
}

// Disable: end the sessions of a member within 5 s, and refuse new ones. A member that is in this state already stays
// as it is. The token needs every scope of its role.
func (r *Members) Disable(ctx context.Context, id string, options ...CallOption) (*Member, error) {
	return send[Member](ctx, r.c, opDisableMember, id, nil, EmptyBody{}, options)
}

// Enable: let a member sign in again. A member that is in this state already stays as it is. The token needs every
// scope of its role.
func (r *Members) Enable(ctx context.Context, id string, options ...CallOption) (*Member, error) {
	return send[Member](ctx, r.c, opEnableMember, id, nil, EmptyBody{}, options)
}

// Sessions: where members of the account are signed in to the console.
type Sessions struct{ c *Client }

// List the sessions that last, newest first. Where members of the account are signed in to the console now.
func (r *Sessions) List(
	ctx context.Context, params ListSessionsParams, options ...CallOption,
) iter.Seq2[Session, error] {
	return list[Session](ctx, r.c, opListSessions, "", params, options)
}

// Get: read a session, also one that has ended. Returns who signed in and when. Sessions that have ended are kept for
// a short time.
func (r *Sessions) Get(ctx context.Context, id string, options ...CallOption) (*Session, error) {
	return send[Session](ctx, r.c, opGetSession, id, nil, nil, options)
}

// End a session, and refuse its tokens within 5 s. A session that has ended stays as it is. The token needs every
// scope of the role of its member.
func (r *Sessions) End(ctx context.Context, id string, options ...CallOption) (*Session, error) {
	return send[Session](ctx, r.c, opEndSession, id, nil, EmptyBody{}, options)
}

// AuditEntries: what people did in the account, for a year.
type AuditEntries struct{ c *Client }

// List what was done in the account, newest first. Writes of members, refused ones too, their sign-ins, writes of
// clients, and what operators of the service did and read. The entry of a change is made with the change, in one
// transaction, so none is missing. Charges that clients make are not in it: they name their client in the log of
// requests. Entries are kept for a year, and can be exported.
func (r *AuditEntries) List(
	ctx context.Context, params ListAuditEntriesParams, options ...CallOption,
) iter.Seq2[AuditEntry, error] {
	return list[AuditEntry](ctx, r.c, opListAuditEntries, "", params, options)
}

// Figures: how many there were of something, step by step.
type Figures struct{ c *Client }

// Charges: count charges by outcome, step by step. Counts the events of charges: each charge counts once, at the time
// of the event of its end; and once more as authorized, if it was. New events are counted within about 10 seconds,
// and each of them exactly once.
func (r *Figures) Charges(
	ctx context.Context, params GetChargeFiguresParams, options ...CallOption,
) (*ChargeFigures, error) {
	return send[ChargeFigures](ctx, r.c, opGetChargeFigures, "", toQuery(params), nil, options)
}

// Deliveries: count attempts at deliveries by endpoint and result, step by step. Each attempt counts once, when it
// began. Without `endpoint` a range has at most 60 steps. Deleted endpoints are not shown.
func (r *Figures) Deliveries(
	ctx context.Context, params GetDeliveryFiguresParams, options ...CallOption,
) (*DeliveryFigures, error) {
	return send[DeliveryFigures](ctx, r.c, opGetDeliveryFigures, "", toQuery(params), nil, options)
}
