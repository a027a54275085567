package payments_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"payments.example/payments"
)

// The ids that the cases name.
const (
	chargeID    = "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D"
	customerID  = "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D"
	operationID = "op_01JF3ZC5T7P3X9R2V8K4M6N1WD"
)

// faultCase is a case of test/client/faults/cases.json, which has the words for its members.
type faultCase struct {
	Name, Call string
	Options    struct {
		MaxRetries *int `json:"max_retries"`
		TimeoutMs  int  `json:"timeout_ms"`
	}
	Expect struct {
		Requests    int
		Key         string
		WaitsMs     []float64 `json:"waits_ms"`
		Tokens      *int
		Error       string
		Status      int
		Code        string
		DeclineCode string `json:"decline_code"`
		Advice      string
		Says        string
		Charge      string
		Param       string
		Items       *int
		LastPath    string            `json:"last_path"`
		LastQuery   map[string]string `json:"last_query"`
		LastHeaders map[string]string `json:"last_headers"`
		Bytes       *int
	}
}

// seen is what the server saw.
type seen struct {
	Requests []struct {
		Path           string
		Query, Headers map[string]string
		Body           string
		AtMs           float64 `json:"at_ms"`
	}
	Tokens int
}

// outcome is what a call came to.
type outcome struct {
	items, bytes int
	err          error
}

func act(ctx context.Context, c *payments.Client, call string) (result outcome) {
	switch call {
	case "create_charge":
		_, result.err = c.Charges.Create(ctx, payments.NewCharge{
			Amount: 1999, Currency: "EUR", PaymentMethod: payments.Ptr("tok_visa"),
		})
	case "get_charge":
		_, result.err = c.Charges.Get(ctx, chargeID)
	case "list_charges":
		for _, err := range c.Charges.List(ctx, payments.ListChargesParams{}) {
			result.items, result.err = result.items+1, err
		}
	case "update_customer":
		body := payments.CustomerPatch{Name: payments.Ptr("Ada Lovelace")}
		_, result.err = c.Customers.Update(ctx, customerID, body, payments.WithIfMatch(`"1"`))
	case "delete_customer":
		result.err = c.Customers.Delete(ctx, customerID)
	case "wait_operation":
		_, result.err = c.Operations.Wait(ctx, operationID)
	case "download_export":
		var file bytes.Buffer
		_, result.err = c.Exports.Download(ctx, operationID, &file)
		result.bytes = file.Len()
	default:
		result.err = errors.New("there is no call " + call)
	}
	return result
}

// TestFaults runs the cases that all clients pass. FAULTS_URL is the server, and FAULTS_CASES the file.
func TestFaults(t *testing.T) {
	url := os.Getenv("FAULTS_URL")
	if url == "" {
		t.Skip("FAULTS_URL is not set")
	}
	content, err := os.ReadFile(os.Getenv("FAULTS_CASES"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []faultCase
	if err := json.Unmarshal(content, &cases); err != nil || len(cases) == 0 {
		t.Fatal("no cases", err)
	}
	for _, each := range cases {
		t.Run(each.Name, func(t *testing.T) { runCase(t, url, each) })
	}
}

func runCase(t *testing.T, url string, each faultCase) {
	begin, err := http.Post(url+"/_case/"+each.Name, "", nil)
	if err != nil || begin.StatusCode != 200 {
		t.Fatal("the case does not begin", err)
	}
	options := payments.Options{BaseURL: url, ClientID: "client", ClientSecret: "secret"}
	options.Timeout = time.Duration(each.Options.TimeoutMs) * time.Millisecond
	if each.Options.MaxRetries != nil {
		options.MaxRetries = *each.Options.MaxRetries
		if options.MaxRetries == 0 {
			options.MaxRetries = -1
		}
	}
	client, err := payments.New(options)
	if err != nil {
		t.Fatal(err)
	}
	checkOutcome(t, each, act(context.Background(), client, each.Call))
	answer, err := http.Get(url + "/_seen")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var what seen
	if err := json.NewDecoder(answer.Body).Decode(&what); err != nil {
		t.Fatal(err)
	}
	checkRequests(t, each, what)
}

func checkOutcome(t *testing.T, each faultCase, got outcome) {
	t.Helper()
	expect := each.Expect
	if kind := kindOf(got.err); kind != expect.Error {
		t.Fatalf("got the error %q (%v), not %q", kind, got.err, expect.Error)
	}
	var problem *payments.ProblemError
	var token *payments.TokenError
	switch {
	case errors.As(got.err, &problem):
		if !strings.Contains(problem.Error(), expect.Says) {
			t.Errorf("the message is %q", problem.Error())
		}
		is := []any{problem.DeclineCode, problem.Advice, problem.Charge, problem.Param, problem.Status, problem.Code}
		for i, value := range []any{
			expect.DeclineCode, expect.Advice, expect.Charge, expect.Param, expect.Status, expect.Code,
		} {
			if is[i] != value {
				t.Errorf("the error has %v, not %v", is[i], value)
			}
		}
	case errors.As(got.err, &token):
		if token.Code != expect.Code {
			t.Errorf("the error has the code %s, not %s", token.Code, expect.Code)
		}
	}
	if expect.Items != nil && got.items != *expect.Items {
		t.Errorf("got %d items, not %d", got.items, *expect.Items)
	}
	if expect.Bytes != nil && got.bytes != *expect.Bytes {
		t.Errorf("got %d bytes, not %d", got.bytes, *expect.Bytes)
	}
}

// kindOf names the outermost error of this package.
func kindOf(err error) string {
	if err == nil {
		return ""
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", err), "*payments.")
}

func checkRequests(t *testing.T, each faultCase, what seen) {
	t.Helper()
	expect := each.Expect
	if len(what.Requests) != expect.Requests {
		t.Fatalf("%d requests came, not %d", len(what.Requests), expect.Requests)
	}
	keys, bodies := map[string]bool{}, map[string]bool{}
	for i, request := range what.Requests {
		keys[request.Headers["idempotency-key"]] = true
		bodies[request.Body] = true
		if i > 0 && i <= len(expect.WaitsMs) && request.AtMs-what.Requests[i-1].AtMs < expect.WaitsMs[i-1] {
			t.Errorf("request %d came too early", i+1)
		}
	}
	if expect.Key == "one" && (len(keys) != 1 || keys[""] || len(bodies) != 1) {
		t.Errorf("the requests have the keys %v and %d bodies", keys, len(bodies))
	}
	if expect.Key == "none" && len(what.Requests) > 0 && (len(keys) != 1 || !keys[""]) {
		t.Errorf("the requests have the keys %v", keys)
	}
	if expect.Tokens != nil && what.Tokens != *expect.Tokens {
		t.Errorf("%d tokens were asked for, not %d", what.Tokens, *expect.Tokens)
	}
	if expect.LastPath != "" {
		if is := what.Requests[len(what.Requests)-1].Path; is != expect.LastPath {
			t.Errorf("the last path is %s, not %s", is, expect.LastPath)
		}
	}
	for name, value := range expect.LastQuery {
		if is := what.Requests[len(what.Requests)-1].Query[name]; is != value {
			t.Errorf("the last query has %s=%s, not %s", name, is, value)
		}
	}
	for name, value := range expect.LastHeaders {
		if is := what.Requests[len(what.Requests)-1].Headers[name]; is != value {
			t.Errorf("the last request has %s: %s, not %s", name, is, value)
		}
	}
}
