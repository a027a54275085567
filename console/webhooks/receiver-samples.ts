/**
 * The receivers of `docs/webhooks.md`, letter by letter, so that the console shows code which was tried: the tests run those of
 * the page, with forged deliveries too, and hold these to them (`test/docs/webhooks.test.ts`).
 */

export interface ReceiverSample {
  language: string;
  /** How its library is installed. */
  install: string;
  code: string;
}

const typescript = `import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env['WEBHOOK_SECRET'] ?? '');
const seen = new Set<string>(); // a table with a unique id, in earnest

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  try {
    const event = webhook.verify(body, request.headers as Record<string, string>) as { id: string };
    seen.add(event.id);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(Number(process.env['PORT'] ?? 4000), '127.0.0.1');
`;

const python = `import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
seen = set()  # a table with a unique id, in earnest


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = webhook.verify(body, dict(self.headers))
        except WebhookVerificationError:
            self.send_response(400)
        else:
            seen.add(event["id"])
            self.send_response(204)
        self.end_headers()


HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver).serve_forever()
`;

const go = `package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"sync"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	var seen sync.Map // a table with a unique id, in earnest
	http.HandleFunc("/webhooks", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		var event struct{ ID string }
		if err != nil || webhook.Verify(body, r.Header) != nil || json.Unmarshal(body, &event) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		seen.Store(event.ID, body)
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
`;

export const receiverSamples: readonly ReceiverSample[] = [
  { language: 'TypeScript', install: 'npm install standardwebhooks', code: typescript },
  { language: 'Python', install: 'pip install standardwebhooks', code: python },
  { language: 'Go', install: 'go get github.com/standard-webhooks/standard-webhooks/libraries', code: go },
];
