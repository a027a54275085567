import type { JSX } from 'preact';
import type { WebhookDeliveryDetail } from '#client/src/index.ts';

/** Code that checks a delivery as its receiver should, with the facts of this one. The secret is the reader's to fill in. */
export function SignatureCheck({
  delivery,
  docs,
}: {
  delivery: Pick<WebhookDeliveryDetail, 'event'>;
  docs: string;
}): JSX.Element {
  return (
    <>
      <p>
        The header <code>webhook-signature</code> signs <code>webhook-id</code>,{' '}
        <code>webhook-timestamp</code> and the bytes of the body, as they came. The code reads the three from
        the request, and the secret from <code>WEBHOOK_SECRET</code>: the console does not know it.{' '}
        <a href={`${docs}/webhooks`}>Receiving webhooks</a>
      </p>
      {samples(delivery.event).map(({ language, code }) => (
        <details key={language}>
          <summary>{language}</summary>
          <pre>
            <code>{code}</code>
          </pre>
        </details>
      ))}
    </>
  );
}

interface Sample {
  language: string;
  code: string;
}

/** @param eventId the `webhook-id` of the delivery. */
function samples(eventId: string): readonly Sample[] {
  return [
    { language: 'TypeScript', code: typescript(eventId) },
    { language: 'Python', code: python(eventId) },
    { language: 'Go', code: go(eventId) },
  ];
}

const typescript = (eventId: string) => `// npm install standardwebhooks
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env['WEBHOOK_SECRET'] ?? '');

// body: the raw text of the request, before any JSON.parse
export function check(body: string, headers: Record<string, string>) {
  const event = webhook.verify(body, headers) as { id: string }; // throws if it is forged
  if (event.id === '${eventId}') console.log('this delivery is genuine');
  return event;
}`;

const python = (eventId: string) => `# pip install standardwebhooks
import os
from standardwebhooks.webhooks import Webhook

webhook = Webhook(os.environ["WEBHOOK_SECRET"])


def check(body: bytes, headers: dict[str, str]):
    event = webhook.verify(body, headers)  # raises if it is forged
    if event["id"] == "${eventId}":
        print("this delivery is genuine")
    return event`;

const go = (eventId: string) => `// go get github.com/standard-webhooks/standard-webhooks/libraries
package receiver

import (
	"fmt"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func Check(body []byte, headers http.Header) error {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		return err
	}
	if err := webhook.Verify(body, headers); err != nil {
		return err // it is forged
	}
	if headers.Get("webhook-id") == "${eventId}" {
		fmt.Println("this delivery is genuine")
	}
	return nil
}`;
