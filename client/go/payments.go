// Package payments is a client of the payments API.
//
//	client, err := payments.New(payments.Options{})
//	charge, err := client.Charges.Create(ctx, payments.NewCharge{
//		Amount: 1999, Currency: "EUR", PaymentMethod: payments.Ptr("tok_visa"),
//	}, payments.WithIdempotencyKey("order-6735"))
//
// Every POST gets a key of its own, and every retry of it the same key, so that a retry never pays twice. Keep a key of
// your own with the order that is paid, and a retry after a crash does not either.
//
// Lists of values may grow: keep a default where you branch on a status, a code or the type of an event.
package payments

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
)

// Options are the settings of a client.
type Options struct {
	// BaseURL is where the service is. (Default: PAYMENTS_URL)
	BaseURL string
	// ClientID and ClientSecret are those of an OAuth client. (Default: PAYMENTS_CLIENT_ID, PAYMENTS_CLIENT_SECRET)
	ClientID, ClientSecret string
	// Scope limits the tokens. (Default: all that the client may do)
	Scope string
	// AccessToken is used instead of ClientID and ClientSecret; its owner renews it.
	AccessToken string
	// Timeout is the longest time of one attempt. (Default: 60 s, longer than the service ever waits)
	Timeout time.Duration
	// MaxRetries is the number of attempts after the first; a negative one is none. (Default: 5)
	MaxRetries int
	// HTTPClient sends the requests. (Default: one without a timeout of its own)
	HTTPClient *http.Client
	// OnRequest gets each attempt before it is sent, without its token.
	OnRequest func(*http.Request)
	// OnAnswer gets each answer that was read.
	OnAnswer func(*http.Request, *Answer)
}

// Client is a client of the payments API. Goroutines can share one.
type Client struct {
	Resources
	Webhooks Webhooks

	baseURL string
	options Options
	tokens  tokens
}

// New returns a client. It sends nothing yet.
func New(options Options) (*Client, error) {
	options, err := complete(options)
	if err != nil {
		return nil, err
	}
	c := &Client{baseURL: strings.TrimRight(options.BaseURL, "/"), options: options}
	c.tokens = fixedToken(options.AccessToken)
	if options.AccessToken == "" {
		c.tokens = &clientCredentials{client: c}
	}
	c.Resources = newResources(c)
	return c, nil
}

// complete takes what is left out from the environment, or says what is missing.
func complete(options Options) (Options, error) {
	settings := []struct {
		value          *string
		name, variable string
	}{
		{&options.BaseURL, "BaseURL", "PAYMENTS_URL"},
		{&options.ClientID, "ClientID", "PAYMENTS_CLIENT_ID"},
		{&options.ClientSecret, "ClientSecret", "PAYMENTS_CLIENT_SECRET"},
	}
	for _, setting := range settings {
		if *setting.value == "" {
			*setting.value = os.Getenv(setting.variable)
		}
		if *setting.value == "" && (setting.name == "BaseURL" || options.AccessToken == "") {
			return options, fmt.Errorf("payments: New needs %s: set it, or %s", setting.name, setting.variable)
		}
	}
	if options.Timeout == 0 {
		options.Timeout = time.Minute
	}
	if options.MaxRetries == 0 {
		options.MaxRetries = 5
	}
	if options.HTTPClient == nil {
		options.HTTPClient = &http.Client{}
	}
	return options, nil
}

// Ptr returns a pointer to a value: members that can be left out are pointers.
func Ptr[T any](value T) *T { return &value }
