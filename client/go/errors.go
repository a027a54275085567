package payments

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// ProblemError says that the service refused the request, or failed. New codes may appear: keep a default where you
// branch. Each kind has a type of its own, such as CardDeclinedError; errors.As finds both.
type ProblemError struct {
	// Status is the status of the answer.
	Status int
	// Code is what a program branches on; "" if another server answered.
	Code string
	// DeclineCode says why a card was declined.
	DeclineCode string
	// Advice says what to do after the decline, such as "retry_later".
	Advice string
	// Charge is the id of the charge that failed.
	Charge string
	// Param is the first parameter that is wrong, such as "amount".
	Param string
	// TraceID names the request in the logs of the service.
	TraceID string
	Header  http.Header
	// Faults are what is wrong, one for each member of the body.
	Faults []ValidationFault
	// Problem is the problem document (RFC 9457); nil if another server answered.
	Problem *Problem
}

func (e *ProblemError) Error() string {
	if e.Problem == nil {
		return fmt.Sprintf("payments: the service answered %d", e.Status)
	}
	return fmt.Sprintf("payments: %d %s: %s", e.Status, e.Code, e.describe())
}

// describe returns what is wrong, member by member where the service says so.
func (e *ProblemError) describe() string {
	if len(e.Faults) == 0 {
		return e.Problem.Detail
	}
	says := make([]string, len(e.Faults))
	for i, fault := range e.Faults {
		says[i] = toParam(fault) + " " + fault.Detail
	}
	return strings.Join(says, "; ")
}

// toParam returns the name of a member, such as "amount" or "charges.0.amount".
func toParam(fault ValidationFault) string {
	return strings.ReplaceAll(strings.TrimPrefix(fault.Pointer, "/"), "/", ".")
}

type (
	// InvalidRequestError is 400, 422 or another refusal of what was sent: Param names the part that is wrong.
	InvalidRequestError struct{ ProblemError }
	// AuthenticationError is 401: the token is not valid.
	AuthenticationError struct{ ProblemError }
	// CardDeclinedError is 402: the payment failed, DeclineCode says why, and Advice what to do.
	CardDeclinedError struct{ ProblemError }
	// PermissionError is 403: the client may not do this.
	PermissionError struct{ ProblemError }
	// NotFoundError is 404 or 410: there is no such resource, or there is none any more.
	NotFoundError struct{ ProblemError }
	// ConflictError is 409 or 412: the state of the resource does not allow it, or it has changed meanwhile.
	ConflictError struct{ ProblemError }
	// RateLimitError is 429, after all retries.
	RateLimitError struct{ ProblemError }
	// ServiceError is 5xx, after all retries. The request may have had its effect: send it again with its key.
	ServiceError struct{ ProblemError }
)

func (e *InvalidRequestError) Unwrap() error { return &e.ProblemError }
func (e *AuthenticationError) Unwrap() error { return &e.ProblemError }
func (e *CardDeclinedError) Unwrap() error   { return &e.ProblemError }
func (e *PermissionError) Unwrap() error     { return &e.ProblemError }
func (e *NotFoundError) Unwrap() error       { return &e.ProblemError }
func (e *ConflictError) Unwrap() error       { return &e.ProblemError }
func (e *RateLimitError) Unwrap() error      { return &e.ProblemError }
func (e *ServiceError) Unwrap() error        { return &e.ProblemError }

// ConnectionError says that no answer came that tells the outcome. The request may have had its effect: send it again
// with its key.
type ConnectionError struct {
	Message string
	Cause   error
}

func (e *ConnectionError) Error() string { return "payments: " + e.Message }
func (e *ConnectionError) Unwrap() error { return e.Cause }

// TimeoutError says that no answer came in time; it is a ConnectionError too.
type TimeoutError struct{ ConnectionError }

func (e *TimeoutError) Unwrap() error { return &e.ConnectionError }

// TokenError says that the issuer refused a token; Code is one of RFC 6749 §5.2.
type TokenError struct {
	Status            int
	Code, Description string
}

func (e *TokenError) Error() string {
	return strings.TrimRight(fmt.Sprintf("payments: no token: %d %s %s", e.Status, e.Code, e.Description), " ")
}

// WebhookSignatureError says that a webhook is not signed with this secret, or is too old: answer 400.
type WebhookSignatureError struct{ Message string }

func (e *WebhookSignatureError) Error() string { return "payments: " + e.Message }

// DownloadError says that a file has another SHA-256 or size than its operation says: throw away what was written.
type DownloadError struct{ Message string }

func (e *DownloadError) Error() string { return "payments: " + e.Message }

// newProblemError returns the error of an answer of 400 or more.
func newProblemError(answer *Answer) error {
	problem := readProblem(answer)
	switch status := answer.Status; {
	case status == 401:
		return &AuthenticationError{problem}
	case status == 402:
		return &CardDeclinedError{problem}
	case status == 403:
		return &PermissionError{problem}
	case status == 404 || status == 410:
		return &NotFoundError{problem}
	case status == 409 || status == 412:
		return &ConflictError{problem}
	case status == 429:
		return &RateLimitError{problem}
	case status >= 500:
		return &ServiceError{problem}
	}
	return &InvalidRequestError{problem}
}

func readProblem(answer *Answer) ProblemError {
	// Read loosely: an error is reported even if a member of it is not as this package knows it.
	var body struct {
		Code        string `json:"code"`
		DeclineCode string `json:"decline_code"`
		Advice      string `json:"advice"`
		Charge      string `json:"charge"`
		TraceID     string `json:"trace_id"`
		Errors      []ValidationFault
	}
	_ = json.Unmarshal(answer.Body, &body)
	result := ProblemError{
		Status: answer.Status, Code: body.Code, DeclineCode: body.DeclineCode, Advice: body.Advice,
		Charge: body.Charge,
		TraceID: body.TraceID, Header: answer.Header, Faults: body.Errors, Problem: answer.problem(),
	}
	if result.TraceID == "" {
		result.TraceID = answer.Header.Get("Trace-Id")
	}
	if len(body.Errors) > 0 {
		result.Param = toParam(body.Errors[0])
	}
	return result
}
