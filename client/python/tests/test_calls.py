"""The requests of calls."""

from __future__ import annotations

import unittest
from typing import Any

import httpx

from payments_client import Payments


class TestCalls(unittest.TestCase):
    def test_sends_every_filter(self) -> None:
        asked: list[httpx.URL] = []

        def answer(request: httpx.Request) -> httpx.Response:
            asked.append(request.url)
            return httpx.Response(200, json={"data": [], "has_more": False, "next_cursor": None})

        http = httpx.Client(transport=httpx.MockTransport(answer))
        client = Payments("http://127.0.0.1:1", access_token="t", http_client=http)
        created = "2026-11-01T12:00:00Z"
        items = list(client.charges.list({"limit": 5, "created[gte]": created, "metadata": {"order": "6735"}}))
        self.assertEqual(items, [])
        expected = {"limit": "5", "created[gte]": created, "metadata[order]": "6735"}
        self.assertEqual(dict(asked[0].params), expected)

    def test_refuses_options_that_do_not_exist(self) -> None:
        mistyped: dict[str, Any] = {"idempotency_kee": "order-6735"}
        with Payments("http://127.0.0.1:1", access_token="t") as client:
            with self.assertRaisesRegex(TypeError, "no option idempotency_kee: there are .*idempotency_key"):
                client.charges.create({"amount": 1, "currency": "EUR", "payment_method": "tok_visa"}, **mistyped)
        with self.assertRaisesRegex(TypeError, "no option idempotency_kee"):
            Payments("http://127.0.0.1:1", access_token="t", **mistyped)


if __name__ == "__main__":
    unittest.main()
