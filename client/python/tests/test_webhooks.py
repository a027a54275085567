"""The webhooks that `webhooks.unwrap` accepts."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
import unittest

from payments_client import Payments, WebhookSignatureError, webhooks

key = b"a key of thirty-two bytes, no less"
secret = "whsec_" + base64.b64encode(key).decode()
body = '{"id":"evt_1","type":"charge.succeeded","data":{"object":{"id":"ch_1","description":"Müller"}}}'.encode()


def sign(content: bytes = body, at: int | None = None, with_key: bytes = key) -> dict[str, str]:
    timestamp = str(at if at is not None else int(time.time()))
    digest = hmac.new(with_key, f"evt_1.{timestamp}.".encode() + content, hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(digest).decode()
    return {"Webhook-Id": "evt_1", "Webhook-Timestamp": timestamp, "Webhook-Signature": signature}


class TestWebhooks(unittest.TestCase):
    def test_returns_the_event(self) -> None:
        self.assertEqual(webhooks.unwrap(body, sign(), secret)["type"], "charge.succeeded")
        self.assertEqual(webhooks.unwrap(body.decode(), sign(), secret)["id"], "evt_1")

    def test_accepts_one_right_signature_of_two(self) -> None:
        headers = sign()
        headers["Webhook-Signature"] = f"v1,AAAA {headers['Webhook-Signature']}"
        self.assertEqual(webhooks.unwrap(body, headers, secret)["id"], "evt_1")

    def test_refuses_what_is_not_signed(self) -> None:
        now = int(time.time())
        wrong = {
            "changed": (body + b" ", sign()),
            "other secret": (body, sign(with_key=b"another")),
            "too old": (body, sign(at=now - 301)),
            "from the future": (body, sign(at=now + 301)),
            "no headers": (body, {}),
            "no signature": (body, {**sign(), "Webhook-Signature": ""}),
            "no version": (body, {**sign(), "Webhook-Signature": sign()["Webhook-Signature"][3:]}),
            "no time": (body, {**sign(), "Webhook-Timestamp": "now"}),
            "other id": (body, {**sign(), "Webhook-Id": "evt_2"}),
            "not JSON": (b"{", sign(b"{")),
        }
        for name, (content, headers) in wrong.items():
            with self.subTest(name), self.assertRaises(WebhookSignatureError):
                webhooks.unwrap(content, headers, secret)

    def test_says_that_a_secret_is_none(self) -> None:
        with self.assertRaisesRegex(WebhookSignatureError, "whsec_"):
            webhooks.unwrap(body, sign(), "not a secret")
        with self.assertRaisesRegex(WebhookSignatureError, "whsec_"):
            webhooks.unwrap(body, sign(with_key=b""), "")

    def test_is_on_the_client_too(self) -> None:
        with Payments("http://127.0.0.1:1", access_token="t") as client:
            self.assertEqual(client.webhooks.unwrap(body, sign(), secret)["id"], "evt_1")


if __name__ == "__main__":
    unittest.main()
