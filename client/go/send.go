package payments

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// maxBytes is the longest answer that is kept in memory. Downloads are streams, and have no bound.
const maxBytes = 64 << 20

// operation is an operation of the document. The generated operations are in api.gen.go.
type operation struct{ method, path string }

// Request sends any request and returns the last answer after all retries. A body of []byte is sent unchanged, any
// other as JSON; nil is no body. The error is a ProblemError, a ConnectionError, a TokenError, or that of the context.
func (c *Client) Request(
	ctx context.Context, method, path string, query url.Values, body any, options ...CallOption,
) (*Answer, error) {
	call := c.newCall(options)
	answer, err := c.request(ctx, method, path, query, body, call)
	if err != nil {
		return nil, err
	}
	if call.answer != nil {
		*call.answer = *answer
	}
	if answer.Status >= 400 {
		return nil, newProblemError(answer)
	}
	return answer, nil
}

// send fills the path of an operation with an id, sends it, and reads the answer as a T.
func send[T any](
	ctx context.Context, c *Client, op operation, id string, query url.Values, body any, options []CallOption,
) (*T, error) {
	path, err := op.fill(id)
	if err != nil {
		return nil, err
	}
	answer, err := c.Request(ctx, op.method, path, query, body, options...)
	if err != nil {
		return nil, err
	}
	var result T
	if len(answer.Body) == 0 {
		return &result, nil
	}
	if err := json.Unmarshal(answer.Body, &result); err != nil {
		return nil, fmt.Errorf("payments: the answer to %s %s cannot be read: %w", op.method, op.path, err)
	}
	return &result, nil
}

// fill puts an id into the path; "" where the path has none.
func (o operation) fill(id string) (string, error) {
	start, end := strings.IndexByte(o.path, '{'), strings.IndexByte(o.path, '}')
	if start < 0 {
		return o.path, nil
	}
	if id == "" {
		return "", fmt.Errorf("payments: %s needs an id, and got none", o.path)
	}
	return o.path[:start] + url.PathEscape(id) + o.path[end+1:], nil
}

func (c *Client) request(
	ctx context.Context, method, path string, query url.Values, body any, call *call,
) (*Answer, error) {
	content, err := encode(body, call.nulls)
	if err != nil {
		return nil, err
	}
	address := c.baseURL + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	header := http.Header{"Accept": {"*/*"}, "Api-Version": {apiVersion}}
	if content != nil {
		header.Set("Content-Type", "application/json")
	}
	if content != nil && method == http.MethodPatch {
		header.Set("Content-Type", "application/merge-patch+json")
	}
	if method == http.MethodPost && !call.withoutToken {
		header.Set("Idempotency-Key", call.keyOrNew())
	}
	for name, values := range call.header {
		header[name] = values
	}
	return c.retry(ctx, &outgoing{method, address, header, content}, call)
}

func (c *call) keyOrNew() string {
	if c.key == "" {
		c.key = rand.Text()
	}
	return c.key
}

// encode returns JSON with null for the members that are to be removed.
func encode(body any, nulls []string) ([]byte, error) {
	if content, ok := body.([]byte); ok || body == nil {
		return content, nil
	}
	content, err := json.Marshal(body)
	if err != nil || len(nulls) == 0 {
		return content, err
	}
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(content, &members); err != nil {
		return nil, err
	}
	for _, name := range nulls {
		members[name] = json.RawMessage("null")
	}
	return json.Marshal(members)
}

// outgoing is a request that can be sent again.
type outgoing struct {
	method, url string
	header      http.Header
	content     []byte
}

func (c *Client) retry(ctx context.Context, out *outgoing, call *call) (*Answer, error) {
	isLost := false
	for attempt := 0; ; attempt++ {
		answer, err := c.attempt(ctx, out, call)
		var failure *ConnectionError
		if err != nil && !errors.As(err, &failure) {
			return nil, err
		}
		wait, ok := waitBefore(attempt, answer)
		if attempt >= call.maxRetries || !ok || !isWorthRepeating(answer) {
			if err != nil {
				return nil, err
			}
			return judge(out, answer, isLost)
		}
		isLost = isLost || mayHaveActed(answer)
		if err := sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// judge reads the answer to a change whose earlier attempt may have had its effect.
func judge(out *outgoing, answer *Answer, isLost bool) (*Answer, error) {
	if !isLost || out.method == http.MethodPost || out.method == http.MethodGet {
		return answer, nil
	}
	if out.method == http.MethodDelete && (answer.Status == 404 || answer.Status == 410) {
		return &Answer{Status: 204, Header: answer.Header}, nil
	}
	if answer.Status == 412 {
		return nil, &ConnectionError{Message: fmt.Sprintf(
			"%s %s: the resource has changed, perhaps by this request, whose first answer was lost: read it again",
			out.method, out.url)}
	}
	return answer, nil
}

// attempt sends once. If the token is refused, it takes another one and sends again, once.
func (c *Client) attempt(ctx context.Context, out *outgoing, call *call) (*Answer, error) {
	if call.withoutToken {
		return c.exchange(ctx, out, "", call.timeout)
	}
	token, err := c.tokens.current(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := c.exchange(ctx, out, token, call.timeout)
	if err != nil || answer.Status != 401 {
		return answer, err
	}
	c.tokens.refuse(token)
	other, err := c.tokens.current(ctx)
	if err != nil || other == token {
		return answer, err
	}
	return c.exchange(ctx, out, other, call.timeout)
}

// exchange sends once. The error is a ConnectionError, a TimeoutError, or that of the context.
func (c *Client) exchange(ctx context.Context, out *outgoing, token string, timeout time.Duration) (*Answer, error) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := out.build(limited)
	if err != nil {
		return nil, err
	}
	if c.options.OnRequest != nil {
		c.options.OnRequest(request.Clone(ctx))
	}
	authorize(request, token)
	response, err := c.options.HTTPClient.Do(request)
	if err != nil {
		return nil, out.explain(ctx, err, timeout)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBytes+1))
	if err != nil {
		return nil, out.explain(ctx, err, timeout)
	}
	if len(body) > maxBytes {
		return nil, fmt.Errorf("payments: the answer to %s %s is too long", out.method, out.url)
	}
	answer := &Answer{response.StatusCode, response.Header, body}
	if c.options.OnAnswer != nil {
		request.Header.Del("Authorization")
		c.options.OnAnswer(request, answer)
	}
	return answer, nil
}

func authorize(request *http.Request, token string) {
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
}

func (o *outgoing) build(ctx context.Context) (*http.Request, error) {
	var body io.Reader
	if o.content != nil {
		body = bytes.NewReader(o.content)
	}
	request, err := http.NewRequestWithContext(ctx, o.method, o.url, body)
	if err != nil {
		return nil, err
	}
	request.Header = o.header.Clone()
	// The transport would send a request again by itself, unseen, if a kept connection is cut.
	request.GetBody = nil
	return request, nil
}

// explain returns the caller's own end as it is, and all else as an answer that did not come.
func (o *outgoing) explain(ctx context.Context, err error, timeout time.Duration) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		message := fmt.Sprintf("%s %s: no answer within %s", o.method, o.url, timeout)
		return &TimeoutError{ConnectionError{message, err}}
	}
	return &ConnectionError{fmt.Sprintf("%s %s got no answer", o.method, o.url), err}
}
