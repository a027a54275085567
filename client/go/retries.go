package payments

import (
	"context"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// The bounds of the exponential back-off, and the longest Retry-After that is waited for.
const (
	backoffBase = 200 * time.Millisecond
	backoffCap  = 8 * time.Second
	maxWait     = time.Minute
)

// isWorthRepeating tells whether another attempt can end otherwise; nil is no answer.
func isWorthRepeating(answer *Answer) bool {
	if answer == nil {
		return true
	}
	// The stored answer of a key never changes.
	if answer.isReplayed() {
		return false
	}
	switch answer.Status {
	case 409:
		return answer.code() == "idempotency_key_in_progress"
	case 429, 500, 502, 503, 504:
		return true
	}
	return false
}

// mayHaveActed tells whether the request may have had its effect, although its outcome is not known.
func mayHaveActed(answer *Answer) bool {
	if answer == nil {
		return true
	}
	switch answer.Status {
	case 500, 502, 504:
		return true
	}
	return answer.code() == "outcome_unknown"
}

// waitBefore returns how long to wait before the next attempt; the first attempt is 0. It is Retry-After, and a random
// part of a growing bound, so that callers who failed together do not return together. It is not ok to wait for more
// than a minute.
func waitBefore(attempt int, answer *Answer) (wait time.Duration, ok bool) {
	asked, _ := retryAfter(answer)
	bound := math.Min(float64(backoffCap), float64(backoffBase)*math.Pow(2, float64(attempt)))
	return asked + time.Duration(rand.Float64()*bound), asked <= maxWait
}

// retryAfter returns the seconds of Retry-After, or the time until its date (RFC 9110 §10.2.3).
func retryAfter(answer *Answer) (time.Duration, bool) {
	if answer == nil {
		return 0, false
	}
	header := answer.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(header, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	date, err := http.ParseTime(header)
	if err != nil {
		return 0, false
	}
	return max(0, time.Until(date)), true
}

// sleep returns early with the context's error.
func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
