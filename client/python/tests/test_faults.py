"""Runs the cases that all clients pass (`test/client/faults/cases.json`) with both clients.

`FAULTS_URL` says where the server is that shows their faults, and `FAULTS_CASES` where the file is.
"""

from __future__ import annotations

import asyncio
import json
import os
import pathlib
import unittest
from collections.abc import Callable
from typing import Any

import httpx

import payments_client
from payments_client import AsyncPayments, Payments

url = os.environ["FAULTS_URL"]
cases: list[dict[str, Any]] = json.loads(pathlib.Path(os.environ["FAULTS_CASES"]).read_text())

charge = "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D"
customer = "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D"
operation = "op_01JF3ZC5T7P3X9R2V8K4M6N1WD"


#: The calls of the cases, with a client of either kind.
calls: dict[str, Callable[[Any], Any]] = {
    "create_charge": lambda client: client.charges.create(
        {"amount": 1999, "currency": "EUR", "payment_method": "tok_visa"}
    ),
    "get_charge": lambda client: client.charges.get(charge),
    "list_charges": lambda client: client.charges.list(),
    "update_customer": lambda client: client.customers.update(customer, {"name": "Ada Lovelace"}, if_match='"1"'),
    "delete_customer": lambda client: client.customers.delete(customer),
    "wait_operation": lambda client: client.operations.wait(operation),
    "download_export": lambda client: client.exports.download(operation),
}
#: Calls that are iterated, and the result made of their items.
iterated: dict[str, Callable[[list[Any]], Any]] = {"list_charges": list, "download_export": b"".join}


def call_blocking(name: str, settings: dict[str, Any]) -> Any:
    with Payments(url, "client", "secret", **settings) as client:
        given = calls[name](client)
        return iterated[name](list(given)) if name in iterated else given


async def call_async(name: str, settings: dict[str, Any]) -> Any:
    async with AsyncPayments(url, "client", "secret", **settings) as client:
        given = calls[name](client)
        return iterated[name]([item async for item in given]) if name in iterated else await given


class FaultCases(unittest.TestCase):
    def call(self, name: str, settings: dict[str, Any]) -> Any:
        raise NotImplementedError

    def run_case(self, case: dict[str, Any]) -> None:
        httpx.post(f"{url}/_case/{case['name']}").raise_for_status()
        options = case.get("options", {})
        settings = {
            "timeout": options.get("timeout_ms", 60_000) / 1000,
            "max_retries": options.get("max_retries", 5),
        }
        result: Any = None
        error: Exception | None = None
        try:
            result = self.call(case["call"], settings)
        except payments_client.PaymentsError as raised:
            error = raised
        seen = httpx.get(f"{url}/_seen").json()
        self.check_outcome(case["expect"], result, error)
        self.check_requests(case["expect"], seen)

    def check_outcome(self, expect: dict[str, Any], result: Any, error: Exception | None) -> None:
        self.assertEqual(type(error).__name__ if error else None, expect.get("error"), error)
        for name in ("status", "code", "decline_code", "advice", "charge", "param"):
            if name in expect:
                self.assertEqual(getattr(error, name), expect[name])
        if "says" in expect:
            self.assertIn(expect["says"], str(error))
        if "items" in expect:
            self.assertEqual(len(result), expect["items"])
        if "bytes" in expect:
            self.assertEqual(len(result), expect["bytes"])

    def check_requests(self, expect: dict[str, Any], seen: dict[str, Any]) -> None:
        requests = seen["requests"]
        self.assertEqual(len(requests), expect["requests"], requests)
        keys = {request["headers"].get("idempotency-key") for request in requests}
        if expect["key"] == "one":
            self.assertEqual(len(keys), 1)
            self.assertNotIn(None, keys)
            self.assertEqual(len({request["body"] for request in requests}), 1)
        else:
            self.assertLessEqual(keys, {None})
        for wait, before, after in zip(expect.get("waits_ms", []), requests, requests[1:]):
            self.assertGreaterEqual(after["at_ms"] - before["at_ms"], wait)
        if "tokens" in expect:
            self.assertEqual(seen["tokens"], expect["tokens"])
        if "last_path" in expect:
            self.assertEqual(requests[-1]["path"], expect["last_path"])
        for name, value in expect.get("last_query", {}).items():
            self.assertEqual(requests[-1]["query"].get(name), value)
        for name, value in expect.get("last_headers", {}).items():
            self.assertEqual(requests[-1]["headers"].get(name), value)


class TestBlocking(FaultCases):
    def call(self, name: str, settings: dict[str, Any]) -> Any:
        return call_blocking(name, settings)


class TestAsync(FaultCases):
    def call(self, name: str, settings: dict[str, Any]) -> Any:
        return asyncio.run(call_async(name, settings))


def _add(case: dict[str, Any]) -> None:
    def test(self: FaultCases) -> None:
        self.run_case(case)

    test.__doc__ = case["promise"]
    for kind in (TestBlocking, TestAsync):
        setattr(kind, f"test_{case['name'].replace('-', '_')}", test)


for each in cases:
    _add(each)

if __name__ == "__main__":
    unittest.main()
