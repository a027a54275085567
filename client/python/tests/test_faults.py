"""Runs the cases that all clients pass (`test/client/faults/cases.json`) against the server that shows their faults.

`FAULTS_URL` says where it is, and `FAULTS_CASES` where the file is.
"""

from __future__ import annotations

import json
import os
import pathlib
import unittest
from typing import Any

import httpx

import payments_client
from payments_client import Payments

url = os.environ["FAULTS_URL"]
cases: list[dict[str, Any]] = json.loads(pathlib.Path(os.environ["FAULTS_CASES"]).read_text())

charge = "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D"
customer = "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D"
operation = "op_01JF3ZC5T7P3X9R2V8K4M6N1WD"


def call(client: Payments, name: str) -> Any:
    if name == "create_charge":
        return client.charges.create({"amount": 1999, "currency": "EUR", "payment_method": "tok_visa"})
    if name == "get_charge":
        return client.charges.get(charge)
    if name == "list_charges":
        return list(client.charges.list())
    if name == "update_customer":
        return client.customers.update(customer, {"name": "Ada Lovelace"}, if_match='"1"')
    if name == "delete_customer":
        return client.customers.delete(customer)
    if name == "wait_operation":
        return client.operations.wait(operation)
    if name == "download_export":
        return b"".join(client.exports.download(operation))
    raise AssertionError(f"There is no call {name}")


class TestFaults(unittest.TestCase):
    def run_case(self, case: dict[str, Any]) -> None:
        httpx.post(f"{url}/_case/{case['name']}").raise_for_status()
        options = case.get("options", {})
        client = Payments(
            url,
            "client",
            "secret",
            timeout=options.get("timeout_ms", 60_000) / 1000,
            max_retries=options.get("max_retries", 5),
        )
        result: Any = None
        error: Exception | None = None
        with client:
            try:
                result = call(client, case["call"])
            except payments_client.PaymentsError as raised:
                error = raised
        seen = httpx.get(f"{url}/_seen").json()
        self.check_outcome(case["expect"], result, error)
        self.check_requests(case["expect"], seen)

    def check_outcome(self, expect: dict[str, Any], result: Any, error: Exception | None) -> None:
        self.assertEqual(type(error).__name__ if error else None, expect.get("error"), error)
        for name in ("status", "code", "decline_code", "charge", "param"):
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


def _add(case: dict[str, Any]) -> None:
    def test(self: TestFaults) -> None:
        self.run_case(case)

    test.__doc__ = case["promise"]
    setattr(TestFaults, f"test_{case['name'].replace('-', '_')}", test)


for each in cases:
    _add(each)

if __name__ == "__main__":
    unittest.main()
