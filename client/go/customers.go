package payments

import (
	"context"
	"iter"
)

// Customers keeps customers and their cards.
type Customers struct{ c *Client }

// Create makes a customer.
func (r *Customers) Create(ctx context.Context, body NewCustomer, options ...CallOption) (*Customer, error) {
	return send[Customer](ctx, r.c, opCreateCustomer, "", body, options)
}

// List returns all customers, the newest first.
func (r *Customers) List(
	ctx context.Context, params ListCustomersParams, options ...CallOption,
) iter.Seq2[Customer, error] {
	return list[Customer](ctx, r.c, opListCustomers, "", params, options)
}

// Get reads a customer. WithAnswer keeps its ETag, which Update needs.
func (r *Customers) Get(ctx context.Context, id string, options ...CallOption) (*Customer, error) {
	return send[Customer](ctx, r.c, opGetCustomer, id, nil, options)
}

// Replace needs WithIfMatch: the ETag as it was read, or "*" for any.
func (r *Customers) Replace(
	ctx context.Context, id string, body CustomerReplacement, options ...CallOption,
) (*Customer, error) {
	return send[Customer](ctx, r.c, opReplaceCustomer, id, body, options)
}

// Update changes the members that are given; WithNull removes some. It needs WithIfMatch, as Replace does.
func (r *Customers) Update(
	ctx context.Context, id string, body CustomerPatch, options ...CallOption,
) (*Customer, error) {
	return send[Customer](ctx, r.c, opUpdateCustomer, id, body, options)
}

// Delete erases a customer. It is no error if an earlier attempt, whose answer was lost, has done it.
func (r *Customers) Delete(ctx context.Context, id string, options ...CallOption) error {
	_, err := send[struct{}](ctx, r.c, opDeleteCustomer, id, nil, options)
	return err
}

// AttachPaymentMethod keeps the card behind a token for later charges.
func (r *Customers) AttachPaymentMethod(
	ctx context.Context, id string, body PaymentMethodAttachment, options ...CallOption,
) (*Customer, error) {
	return send[Customer](ctx, r.c, opAttachPaymentMethod, id, body, options)
}

// DetachPaymentMethod forgets a card.
func (r *Customers) DetachPaymentMethod(
	ctx context.Context, id string, body PaymentMethodDetachment, options ...CallOption,
) (*Customer, error) {
	return send[Customer](ctx, r.c, opDetachPaymentMethod, id, body, options)
}

// IdempotencyKeys tells what became of keys.
type IdempotencyKeys struct{ c *Client }

// Get reads what a key was used for. Use it after a crash, if the outcome of a request is not known.
func (r *IdempotencyKeys) Get(ctx context.Context, key string, options ...CallOption) (*IdempotencyKey, error) {
	return send[IdempotencyKey](ctx, r.c, opGetIdempotencyKey, key, nil, options)
}

// Requests tells what requests did.
type Requests struct{ c *Client }

// List returns the requests of the account in the last 7 days, the newest first.
func (r *Requests) List(
	ctx context.Context, params ListRequestsParams, options ...CallOption,
) iter.Seq2[Request, error] {
	return list[Request](ctx, r.c, opListRequests, "", params, options)
}

// Get reads what the requests with a trace id did, for 7 days; the Trace-Id of each answer names it.
func (r *Requests) Get(ctx context.Context, traceID string, options ...CallOption) (*RequestTrace, error) {
	return send[RequestTrace](ctx, r.c, opGetRequest, traceID, nil, options)
}
