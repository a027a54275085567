package payments

import (
	"context"
	"iter"
)

// Charges takes payments.
type Charges struct{ c *Client }

// Create takes a payment. A *CardDeclinedError says that the card was declined; its Charge names the failed charge.
func (r *Charges) Create(ctx context.Context, body NewCharge, options ...CallOption) (*Charge, error) {
	return send[Charge](ctx, r.c, opCreateCharge, "", body, options)
}

// List returns all charges that the parameters let through, the newest first.
func (r *Charges) List(ctx context.Context, params ListChargesParams, options ...CallOption) iter.Seq2[Charge, error] {
	return list[Charge](ctx, r.c, opListCharges, "", params, options)
}

// Get reads a charge.
func (r *Charges) Get(ctx context.Context, id string, options ...CallOption) (*Charge, error) {
	return send[Charge](ctx, r.c, opGetCharge, id, nil, options)
}

// Update changes the description and metadata. WithIfMatch names the version that was read.
func (r *Charges) Update(ctx context.Context, id string, body ChargePatch, options ...CallOption) (*Charge, error) {
	return send[Charge](ctx, r.c, opUpdateCharge, id, body, options)
}

// Capture takes the money that an authorized charge has reserved, or less of it.
func (r *Charges) Capture(ctx context.Context, id string, body Capture, options ...CallOption) (*Charge, error) {
	return send[Charge](ctx, r.c, opCaptureCharge, id, body, options)
}

// Cancel gives up a charge that has not been captured.
func (r *Charges) Cancel(ctx context.Context, id string, options ...CallOption) (*Charge, error) {
	return send[Charge](ctx, r.c, opCancelCharge, id, EmptyBody{}, options)
}

// Timeline returns what happened to the charge, step by step.
func (r *Charges) Timeline(
	ctx context.Context, id string, params GetChargeTimelineParams, options ...CallOption,
) iter.Seq2[TimelineEntry, error] {
	return list[TimelineEntry](ctx, r.c, opGetChargeTimeline, id, params, options)
}

// Refunds gives money back.
type Refunds struct{ c *Client }

// Create gives money of a charge back; all that is left without an amount.
func (r *Refunds) Create(ctx context.Context, body NewRefund, options ...CallOption) (*Refund, error) {
	return send[Refund](ctx, r.c, opCreateRefund, "", body, options)
}

// CreateForCharge is Create with the charge in the path, so that WithIfMatch can name its version.
func (r *Refunds) CreateForCharge(
	ctx context.Context, charge string, body NewChargeRefund, options ...CallOption,
) (*Refund, error) {
	return send[Refund](ctx, r.c, opCreateChargeRefund, charge, body, options)
}

// List returns all refunds that the parameters let through, the newest first.
func (r *Refunds) List(ctx context.Context, params ListRefundsParams, options ...CallOption) iter.Seq2[Refund, error] {
	return list[Refund](ctx, r.c, opListRefunds, "", params, options)
}

// Get reads a refund.
func (r *Refunds) Get(ctx context.Context, id string, options ...CallOption) (*Refund, error) {
	return send[Refund](ctx, r.c, opGetRefund, id, nil, options)
}

// Cancel takes back a refund that the processor has not settled yet.
func (r *Refunds) Cancel(ctx context.Context, id string, options ...CallOption) (*Refund, error) {
	return send[Refund](ctx, r.c, opCancelRefund, id, EmptyBody{}, options)
}
