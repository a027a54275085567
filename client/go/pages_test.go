package payments_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"payments.example/payments"
)

func TestListSendsEveryFilter(t *testing.T) {
	var query url.Values
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query = r.URL.Query()
		_, _ = w.Write([]byte(`{"data":[],"has_more":false,"next_cursor":null}`))
	}))
	defer server.Close()
	client, err := payments.New(payments.Options{BaseURL: server.URL, AccessToken: "t"})
	if err != nil {
		t.Fatal(err)
	}
	since := time.Date(2026, 11, 1, 12, 0, 0, 0, time.FixedZone("", 3600))
	status := payments.ChargeStatusFailed
	for _, err := range client.Charges.List(context.Background(), payments.ListChargesParams{
		Limit: payments.Ptr(int32(5)), CreatedGte: &since, Status: &status,
		Metadata: &payments.MetadataFilter{"order": "6735"}, IfNoneMatch: payments.Ptr("x"),
	}) {
		t.Fatal(err)
	}
	expected := url.Values{
		"limit": {"5"}, "created[gte]": {"2026-11-01T11:00:00Z"}, "status": {"failed"}, "metadata[order]": {"6735"},
	}
	if query.Encode() != expected.Encode() {
		t.Fatalf("sent %s", query.Encode())
	}
}
