package payments

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Tolerance is how far the time of a webhook may be from now.
const Tolerance = 5 * time.Minute

// Webhooks verifies webhooks by Standard Webhooks 1.0.0. It needs no connection.
type Webhooks struct{}

// Unwrap returns the event if it is signed with the secret of the endpoint. The body is what arrived, before any
// parsing. The error is a *WebhookSignatureError.
func (Webhooks) Unwrap(body []byte, header http.Header, secret string) (*Event, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return nil, &WebhookSignatureError{"the secret is not one of a webhook endpoint: whsec_…"}
	}
	if err := verify(body, header, key); err != nil {
		return nil, err
	}
	var event Event
	if !json.Valid(body) || json.Unmarshal(body, &event) != nil {
		return nil, &WebhookSignatureError{"the body is not JSON"}
	}
	return &event, nil
}

func verify(body []byte, header http.Header, key []byte) error {
	id, timestamp := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 52)
	if err != nil || id == "" {
		return &WebhookSignatureError{"the headers webhook-id and webhook-timestamp are missing or wrong"}
	}
	if time.Since(time.Unix(seconds, 0)).Abs() > Tolerance {
		return &WebhookSignatureError{"webhook-timestamp is too far from now: an old webhook, or a wrong clock here"}
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	// All are compared, each in constant time. After a rotation there are two.
	isRight := false
	for _, signature := range strings.Fields(header.Get("Webhook-Signature")) {
		isRight = hmac.Equal(expected, []byte(signature)) || isRight
	}
	if !isRight {
		return &WebhookSignatureError{"no signature is right: another secret, or a body that was changed"}
	}
	return nil
}
