package payments

import (
	"encoding/json"
	"net/http"
)

// Answer is an answer that was read to its end.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// isReplayed tells whether this is the stored answer of a key, which never changes.
func (a *Answer) isReplayed() bool { return a.Header.Get("Idempotent-Replayed") == "true" }

// problem returns the problem document, or nil if another server answered.
func (a *Answer) problem() *Problem {
	var problem Problem
	if json.Unmarshal(a.Body, &problem) != nil || problem.Code == "" {
		return nil
	}
	return &problem
}

// code returns the code of a problem document; "" for any other answer.
func (a *Answer) code() string {
	if problem := a.problem(); problem != nil {
		return string(problem.Code)
	}
	return ""
}
