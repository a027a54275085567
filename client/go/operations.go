package payments

import (
	"context"
	"io"
	"iter"
)

// Operations is work that lasts longer than its request.
type Operations struct{ c *Client }

// List returns all operations that the parameters let through, the newest first.
func (r *Operations) List(
	ctx context.Context, params ListOperationsParams, options ...CallOption,
) iter.Seq2[Operation, error] {
	return list[Operation](ctx, r.c, opListOperations, "", params, options)
}

// Get reads an operation.
func (r *Operations) Get(ctx context.Context, id string, options ...CallOption) (*Operation, error) {
	return send[Operation](ctx, r.c, opGetOperation, id, nil, options)
}

// Wait returns the operation once it is done, with its error or response. It asks as often as the service says
// (Retry-After), and WithProgress gets each state. The context bounds it.
func (r *Operations) Wait(ctx context.Context, id string, options ...CallOption) (*Operation, error) {
	return r.c.wait(ctx, id, options)
}

// Cancel asks for the end of an operation.
func (r *Operations) Cancel(ctx context.Context, id string, options ...CallOption) (*Operation, error) {
	return send[Operation](ctx, r.c, opCancelOperation, id, EmptyBody{}, options)
}

// Delete cancels, as Cancel does.
func (r *Operations) Delete(ctx context.Context, id string, options ...CallOption) (*Operation, error) {
	return send[Operation](ctx, r.c, opDeleteOperation, id, nil, options)
}

// Result writes the result file. A *DownloadError says that it has another SHA-256 than it should.
func (r *Operations) Result(ctx context.Context, id string, to io.Writer, options ...CallOption) (int64, error) {
	return r.c.download(ctx, opGetOperation, id, to, options)
}

// Exports writes files of charges, refunds or events.
type Exports struct{ c *Client }

// Create begins an export. Make its body with NewExport.FromNewChargeExport and its like.
func (r *Exports) Create(ctx context.Context, body NewExport, options ...CallOption) (*ExportOperation, error) {
	return send[ExportOperation](ctx, r.c, opCreateExport, "", body, options)
}

// List returns all exports that the parameters let through, the newest first.
func (r *Exports) List(
	ctx context.Context, params ListExportsParams, options ...CallOption,
) iter.Seq2[ExportOperation, error] {
	return list[ExportOperation](ctx, r.c, opListExports, "", params, options)
}

// Get reads an export.
func (r *Exports) Get(ctx context.Context, id string, options ...CallOption) (*ExportOperation, error) {
	return send[ExportOperation](ctx, r.c, opGetExport, id, nil, options)
}

// Cancel asks for the end of an export.
func (r *Exports) Cancel(ctx context.Context, id string, options ...CallOption) (*ExportOperation, error) {
	return send[ExportOperation](ctx, r.c, opCancelExport, id, EmptyBody{}, options)
}

// Download writes the file. A *DownloadError says that it has another SHA-256 than it should.
func (r *Exports) Download(ctx context.Context, id string, to io.Writer, options ...CallOption) (int64, error) {
	return r.c.download(ctx, opGetExport, id, to, options)
}

// ChargeBatches takes many payments at once.
type ChargeBatches struct{ c *Client }

// Create begins a batch.
func (r *ChargeBatches) Create(
	ctx context.Context, body NewChargeBatch, options ...CallOption,
) (*ChargeBatchOperation, error) {
	return send[ChargeBatchOperation](ctx, r.c, opCreateChargeBatch, "", body, options)
}

// List returns all batches that the parameters let through, the newest first.
func (r *ChargeBatches) List(
	ctx context.Context, params ListChargeBatchesParams, options ...CallOption,
) iter.Seq2[ChargeBatchOperation, error] {
	return list[ChargeBatchOperation](ctx, r.c, opListChargeBatches, "", params, options)
}

// Get reads a batch.
func (r *ChargeBatches) Get(ctx context.Context, id string, options ...CallOption) (*ChargeBatchOperation, error) {
	return send[ChargeBatchOperation](ctx, r.c, opGetChargeBatch, id, nil, options)
}

// Cancel asks for the end of a batch; what was charged stays charged.
func (r *ChargeBatches) Cancel(ctx context.Context, id string, options ...CallOption) (*ChargeBatchOperation, error) {
	return send[ChargeBatchOperation](ctx, r.c, opCancelChargeBatch, id, EmptyBody{}, options)
}

// Download writes a line of NDJSON for each charge. A *DownloadError says that it has another SHA-256 than it should.
func (r *ChargeBatches) Download(ctx context.Context, id string, to io.Writer, options ...CallOption) (int64, error) {
	return r.c.download(ctx, opGetChargeBatch, id, to, options)
}
