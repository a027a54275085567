package payments

import (
	"net/http"
	"time"
)

// CallOption is an option of one call.
type CallOption func(*call)

// call is what one call was asked to do.
type call struct {
	header     http.Header
	key        string
	nulls      []string
	timeout    time.Duration
	maxRetries int
	answer     *Answer
	onProgress func(Operation)
	// withoutToken is true for the requests that fetch one.
	withoutToken bool
}

// WithIdempotencyKey gives the key of a POST. Keep it with the order that is paid: a repeat with it never pays twice.
func WithIdempotencyKey(key string) CallOption { return func(c *call) { c.key = key } }

// WithAPIVersion asks for the answer in another version than that of the types of this package.
func WithAPIVersion(version string) CallOption { return WithHeader("API-Version", version) }

// WithIfMatch gives the ETag as it was read: the write is refused if the resource has changed since; "*" for any.
func WithIfMatch(etag string) CallOption { return WithHeader("If-Match", etag) }

// WithHeader sets a header.
func WithHeader(name, value string) CallOption { return func(c *call) { c.header.Set(name, value) } }

// WithTimeout bounds one attempt. (Default: that of the client)
func WithTimeout(timeout time.Duration) CallOption { return func(c *call) { c.timeout = timeout } }

// WithMaxRetries bounds the attempts after the first. (Default: that of the client)
func WithMaxRetries(n int) CallOption { return func(c *call) { c.maxRetries = n } }

// WithNull sends null for members of the body, which removes them in a patch.
func WithNull(members ...string) CallOption {
	return func(c *call) { c.nulls = append(c.nulls, members...) }
}

// WithAnswer keeps the last answer, with its headers, such as ETag.
func WithAnswer(answer *Answer) CallOption { return func(c *call) { c.answer = answer } }

// WithProgress gets each state of an operation that is waited for.
func WithProgress(onProgress func(Operation)) CallOption {
	return func(c *call) { c.onProgress = onProgress }
}

func (c *Client) newCall(options []CallOption) *call {
	result := &call{header: http.Header{}, timeout: c.options.Timeout, maxRetries: c.options.MaxRetries}
	for _, option := range options {
		option(result)
	}
	return result
}
