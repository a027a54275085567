package payments

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"strings"
	"time"
)

// work is what this package reads of an operation of any type.
type work struct {
	ID       string `json:"id"`
	Status   string `json:"status"`
	Done     bool   `json:"done"`
	Response *struct {
		Href   string `json:"href"`
		Size   int64  `json:"size"`
		SHA256 string `json:"sha256"`
	} `json:"response"`
}

// download writes the result file of an operation, and goes on where a connection is cut. Only an idle connection is
// bounded by the timeout of the call, not the whole file.
func (c *Client) download(
	ctx context.Context, op operation, id string, to io.Writer, options []CallOption,
) (int64, error) {
	operation, err := send[work](ctx, c, op, id, nil, nil, options)
	if err != nil {
		return 0, err
	}
	if operation.Response == nil {
		return 0, fmt.Errorf("payments: %s is %s: it has no result", operation.ID, operation.Status)
	}
	// The service may know itself by another address, and by another path, than this client does.
	at := strings.Index(operation.Response.Href, "/v1/")
	if at < 0 {
		return 0, fmt.Errorf("payments: the link of %s has no path of the API", operation.ID)
	}
	path := operation.Response.Href[at:]
	file := &transfer{client: c, call: c.newCall(options), url: c.baseURL + path, to: to, hash: sha256.New()}
	if err := file.run(ctx); err != nil {
		return file.size, err
	}
	if file.size != operation.Response.Size || hex.EncodeToString(file.hash.Sum(nil)) != operation.Response.SHA256 {
		return file.size, &DownloadError{fmt.Sprintf("the file of %s has another SHA-256 than it says", operation.ID)}
	}
	return file.size, nil
}

// transfer is a file on its way.
type transfer struct {
	client      *Client
	call        *call
	url         string
	to          io.Writer
	hash        hash.Hash
	size        int64
	etag        string
	hasNewToken bool
}

func (t *transfer) run(ctx context.Context) error {
	for attempt := 0; ; attempt++ {
		before := t.size
		answer, err := t.read(ctx)
		var failure *ConnectionError
		if answer == nil && err == nil {
			return nil
		}
		if err != nil && !errors.As(err, &failure) {
			return err
		}
		if t.size > before {
			attempt = 0 // an attempt that got further is no failure in a row
		}
		wait, ok := waitBefore(attempt, answer)
		if attempt >= t.call.maxRetries || !ok || !isWorthRepeating(answer) {
			if err != nil {
				return err
			}
			return newProblemError(answer)
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// read writes what comes. It returns an answer that is not the file, or the error that ended it.
func (t *transfer) read(ctx context.Context) (*Answer, error) {
	token, err := t.client.tokens.current(ctx)
	if err != nil {
		return nil, err
	}
	idle, cancel := context.WithCancel(ctx)
	defer cancel()
	timer := time.AfterFunc(t.call.timeout, cancel)
	defer timer.Stop()
	out := &outgoing{method: http.MethodGet, url: t.url, header: t.headers()}
	request, err := out.build(idle)
	if err != nil {
		return nil, err
	}
	authorize(request, token)
	// A file may be elsewhere: the token is dropped when the request is sent on to another host.
	response, err := t.client.options.HTTPClient.Do(request)
	if err != nil {
		return nil, t.explain(ctx, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusPartialContent {
		return t.refuse(response, token)
	}
	return nil, t.keep(ctx, response, timer)
}

func (t *transfer) headers() http.Header {
	header := t.call.header.Clone()
	header.Set("Api-Version", apiVersion)
	// A range counts the bytes as they are kept, not as they may be packed on their way.
	header.Set("Accept-Encoding", "identity")
	if t.size > 0 && t.etag != "" {
		header.Set("Range", fmt.Sprintf("bytes=%d-", t.size))
		header.Set("If-Range", t.etag)
	}
	return header
}

func (t *transfer) refuse(response *http.Response, token string) (*Answer, error) {
	if response.StatusCode == http.StatusUnauthorized && !t.hasNewToken {
		t.hasNewToken = true
		t.client.tokens.refuse(token)
		return nil, &ConnectionError{Message: "the token was refused"}
	}
	body, _ := io.ReadAll(io.LimitReader(response.Body, maxBytes))
	return &Answer{response.StatusCode, response.Header, body}, nil
}

// keep writes what is new: a server that ignores Range sends the file from its start.
func (t *transfer) keep(ctx context.Context, response *http.Response, timer *time.Timer) error {
	skip := int64(0)
	if response.StatusCode == http.StatusOK {
		skip = t.size
	}
	t.etag = response.Header.Get("ETag")
	buffer := make([]byte, 64<<10)
	for {
		n, err := response.Body.Read(buffer)
		timer.Reset(t.call.timeout)
		from := min(skip, int64(n))
		skip -= from
		part := buffer[from:n]
		if _, err := t.to.Write(part); err != nil {
			return err
		}
		t.hash.Write(part)
		t.size += int64(len(part))
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return t.explain(ctx, err)
		}
	}
}

func (t *transfer) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	address, _, _ := strings.Cut(t.url, "?")
	return &ConnectionError{fmt.Sprintf("GET %s was cut", address), err}
}

// Wait returns the operation once it is done, with its error or response. It asks as often as the service says
// (Retry-After), and WithProgress gets each state. The context bounds it.
func (r *Operations) Wait(ctx context.Context, id string, options ...CallOption) (*Operation, error) {
	for {
		var answer Answer
		current, err := r.Get(ctx, id, append(options, WithAnswer(&answer))...)
		if err != nil {
			return nil, err
		}
		if call := r.c.newCall(options); call.onProgress != nil {
			call.onProgress(*current)
		}
		var state work
		if err := json.Unmarshal(answer.Body, &state); err != nil || state.Done {
			return current, err
		}
		pause, ok := retryAfter(&answer)
		if !ok {
			pause = time.Second
		}
		if err := sleep(ctx, min(pause, maxWait)); err != nil {
			return nil, err
		}
	}
}
