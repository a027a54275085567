package payments

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// tokens is where a client takes its access tokens from.
type tokens interface {
	// current returns a token that stays valid for some time.
	current(ctx context.Context) (string, error)
	// refuse drops a refused token: the next caller gets another.
	refuse(token string)
}

// fixedToken is one token that its owner renews.
type fixedToken string

func (t fixedToken) current(context.Context) (string, error) { return string(t), nil }
func (t fixedToken) refuse(string)                           {}

// clientCredentials is the client credentials grant (RFC 6749 §4.4). Goroutines share one token.
type clientCredentials struct {
	client *Client
	mutex  sync.Mutex
	token  string
	until  time.Time
}

func (t *clientCredentials) current(ctx context.Context) (string, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.token != "" && time.Now().Before(t.until) {
		return t.token, nil
	}
	askedAt := time.Now()
	answer, err := t.ask(ctx)
	if err != nil {
		return "", err
	}
	var body struct {
		Token       string `json:"access_token"`
		Seconds     int64  `json:"expires_in"`
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	_ = json.Unmarshal(answer.Body, &body)
	if answer.Status != http.StatusOK || body.Token == "" {
		return "", &TokenError{answer.Status, body.Error, body.Description}
	}
	t.token = body.Token
	// It is renewed after nine tenths of its life: no request may outlive its token.
	t.until = askedAt.Add(time.Duration(body.Seconds) * time.Second * 9 / 10)
	return t.token, nil
}

func (t *clientCredentials) ask(ctx context.Context) (*Answer, error) {
	options := t.client.options
	form := url.Values{"grant_type": {"client_credentials"}}
	if options.Scope != "" {
		form.Set("scope", options.Scope)
	}
	call := t.client.newCall([]CallOption{WithHeader("Content-Type", "application/x-www-form-urlencoded")})
	call.withoutToken = true
	// Both halves are form-encoded first (RFC 6749 §2.3.1).
	request := &http.Request{Header: call.header}
	request.SetBasicAuth(url.QueryEscape(options.ClientID), url.QueryEscape(options.ClientSecret))
	return t.client.request(ctx, http.MethodPost, "/oauth2/token", nil, []byte(form.Encode()), call)
}

func (t *clientCredentials) refuse(token string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.token == token {
		t.token = ""
	}
}
