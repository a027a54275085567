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
