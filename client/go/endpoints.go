package payments

import (
	"context"
	"iter"
)

// WebhookEndpoints is where webhooks are sent to.
type WebhookEndpoints struct{ c *Client }

// Create registers an endpoint. Only this answer has the secret that Webhooks.Unwrap needs.
func (r *WebhookEndpoints) Create(
	ctx context.Context, body NewWebhookEndpoint, options ...CallOption,
) (*WebhookEndpointWithSecret, error) {
	return send[WebhookEndpointWithSecret](ctx, r.c, opCreateWebhookEndpoint, "", body, options)
}

// List returns all endpoints, the newest first.
func (r *WebhookEndpoints) List(
	ctx context.Context, params ListWebhookEndpointsParams, options ...CallOption,
) iter.Seq2[WebhookEndpoint, error] {
	return list[WebhookEndpoint](ctx, r.c, opListWebhookEndpoints, "", params, options)
}

// Get reads an endpoint.
func (r *WebhookEndpoints) Get(ctx context.Context, id string, options ...CallOption) (*WebhookEndpoint, error) {
	return send[WebhookEndpoint](ctx, r.c, opGetWebhookEndpoint, id, nil, options)
}

// Update changes the members that are given; WithNull removes some. It needs WithIfMatch: the ETag, or "*" for any.
func (r *WebhookEndpoints) Update(
	ctx context.Context, id string, body WebhookEndpointPatch, options ...CallOption,
) (*WebhookEndpoint, error) {
	return send[WebhookEndpoint](ctx, r.c, opUpdateWebhookEndpoint, id, body, options)
}

// Delete removes an endpoint. It is no error if an earlier attempt, whose answer was lost, has done it.
func (r *WebhookEndpoints) Delete(ctx context.Context, id string, options ...CallOption) error {
	_, err := send[struct{}](ctx, r.c, opDeleteWebhookEndpoint, id, nil, options)
	return err
}

// RotateSecret makes a new secret. The old one signs too until its overlap has ended.
func (r *WebhookEndpoints) RotateSecret(
	ctx context.Context, id string, body SecretRotation, options ...CallOption,
) (*WebhookEndpointWithSecret, error) {
	return send[WebhookEndpointWithSecret](ctx, r.c, opRotateWebhookEndpointSecret, id, body, options)
}

// Replay sends events of a time again: an operation that can be waited for.
func (r *WebhookEndpoints) Replay(
	ctx context.Context, id string, body NewWebhookReplay, options ...CallOption,
) (*WebhookReplayOperation, error) {
	return send[WebhookReplayOperation](ctx, r.c, opReplayWebhookEndpoint, id, body, options)
}

// Test sends an endpoint.test event.
func (r *WebhookEndpoints) Test(ctx context.Context, id string, options ...CallOption) (*WebhookDelivery, error) {
	return send[WebhookDelivery](ctx, r.c, opTestWebhookEndpoint, id, EmptyBody{}, options)
}

// Deliveries returns the deliveries to one endpoint, the newest first.
func (r *WebhookEndpoints) Deliveries(
	ctx context.Context, id string, params ListWebhookEndpointDeliveriesParams, options ...CallOption,
) iter.Seq2[WebhookDelivery, error] {
	return list[WebhookDelivery](ctx, r.c, opListWebhookEndpointDeliveries, id, params, options)
}

// WebhookDeliveries tells what was sent to endpoints.
type WebhookDeliveries struct{ c *Client }

// List returns the deliveries to all endpoints, the newest first.
func (r *WebhookDeliveries) List(
	ctx context.Context, params ListWebhookDeliveriesParams, options ...CallOption,
) iter.Seq2[WebhookDelivery, error] {
	return list[WebhookDelivery](ctx, r.c, opListWebhookDeliveries, "", params, options)
}

// Get reads a delivery with all its attempts.
func (r *WebhookDeliveries) Get(ctx context.Context, id string, options ...CallOption) (*WebhookDeliveryDetail, error) {
	return send[WebhookDeliveryDetail](ctx, r.c, opGetWebhookDelivery, id, nil, options)
}

// Replay sends a delivery again.
func (r *WebhookDeliveries) Replay(ctx context.Context, id string, options ...CallOption) (*WebhookDelivery, error) {
	return send[WebhookDelivery](ctx, r.c, opReplayWebhookDelivery, id, EmptyBody{}, options)
}

// Events is what happened in the last 30 days.
type Events struct{ c *Client }

// List returns events, the newest first if the parameters do not say otherwise.
func (r *Events) List(ctx context.Context, params ListEventsParams, options ...CallOption) iter.Seq2[Event, error] {
	return list[Event](ctx, r.c, opListEvents, "", params, options)
}

// Get reads an event.
func (r *Events) Get(ctx context.Context, id string, options ...CallOption) (*Event, error) {
	return send[Event](ctx, r.c, opGetEvent, id, nil, options)
}
