package payments_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"payments.example/payments"
)

var (
	key    = []byte("a key of thirty-two bytes, no less")
	secret = "whsec_" + base64.StdEncoding.EncodeToString(key)
	body   = []byte(`{"id":"evt_1","type":"charge.succeeded","data":{"object":{"id":"ch_1","description":"Müller"}}}`)
)

func sign(content, with []byte, at time.Time) http.Header {
	timestamp := fmt.Sprint(at.Unix())
	mac := hmac.New(sha256.New, with)
	fmt.Fprintf(mac, "evt_1.%s.%s", timestamp, content)
	header := http.Header{}
	header.Set("webhook-id", "evt_1")
	header.Set("webhook-timestamp", timestamp)
	header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return header
}

func with(header http.Header, name, value string) http.Header {
	header.Set(name, value)
	return header
}

func TestUnwrapReturnsTheEvent(t *testing.T) {
	header := sign(body, key, time.Now())
	header.Set("webhook-signature", "v1,AAAA "+header.Get("webhook-signature"))
	event, err := payments.Webhooks{}.Unwrap(body, header, secret)
	if err != nil {
		t.Fatal(err)
	}
	value, err := event.ValueByDiscriminator()
	succeeded, ok := value.(payments.ChargeSucceededEvent)
	if err != nil || !ok || succeeded.Data.Object.ID != "ch_1" {
		t.Fatalf("got %#v, %v", value, err)
	}
}

func TestUnwrapRefusesWhatIsNotSigned(t *testing.T) {
	now := time.Now()
	good := func() http.Header { return sign(body, key, now) }
	cases := map[string]struct {
		body   []byte
		header http.Header
		secret string
	}{
		"changed":         {append([]byte(" "), body...), good(), secret},
		"other secret":    {body, sign(body, []byte("another"), now), secret},
		"too old":         {body, sign(body, key, now.Add(-302*time.Second)), secret},
		"from the future": {body, sign(body, key, now.Add(302*time.Second)), secret},
		"no headers":      {body, http.Header{}, secret},
		"no signature":    {body, with(good(), "webhook-signature", ""), secret},
		"no version":      {body, with(good(), "webhook-signature", good().Get("webhook-signature")[3:]), secret},
		"no time":         {body, with(good(), "webhook-timestamp", "now"), secret},
		"other id":        {body, with(good(), "webhook-id", "evt_2"), secret},
		"not JSON":        {[]byte("{"), sign([]byte("{"), key, now), secret},
		"no secret":       {body, good(), "not a secret"},
		"empty secret":    {body, sign(body, nil, now), ""},
	}
	for name, each := range cases {
		_, err := payments.Webhooks{}.Unwrap(each.body, each.header, each.secret)
		if refused := (*payments.WebhookSignatureError)(nil); !errors.As(err, &refused) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
