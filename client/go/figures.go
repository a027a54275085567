package payments

import "context"

// Figures counts what there was, step by step.
type Figures struct{ c *Client }

// Charges counts charges by outcome. UpToSequence says which events are counted.
func (r *Figures) Charges(
	ctx context.Context, params GetChargeFiguresParams, options ...CallOption,
) (*ChargeFigures, error) {
	return find[ChargeFigures](ctx, r.c, opGetChargeFigures, params, options)
}

// Deliveries counts attempts at deliveries by endpoint and result, with how long they took.
func (r *Figures) Deliveries(
	ctx context.Context, params GetDeliveryFiguresParams, options ...CallOption,
) (*DeliveryFigures, error) {
	return find[DeliveryFigures](ctx, r.c, opGetDeliveryFigures, params, options)
}
