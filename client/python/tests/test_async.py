"""The client for asyncio beyond the blocking one: its calls run side by side, and end when they are cancelled."""

from __future__ import annotations

import asyncio
import time
import unittest
from typing import Any

import httpx

from payments_client import AsyncPayments, Payments

Answer = tuple[int, dict[str, str], Any]
done = {"id": "op_1", "done": True, "status": "succeeded"}


class Service:
    """Answers as it is told, each answer after a moment, and remembers the requests."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []
        self.tokens = 0

    async def answer(self, request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(0.01)
        if request.url.path == "/oauth2/token":
            self.tokens += 1
            return httpx.Response(200, json={"access_token": f"token-{self.tokens}", "expires_in": 600})
        self.requests.append(request)
        status, headers, body = self.answers.pop(0) if self.answers else (200, {}, done)
        return httpx.Response(status, headers=headers, json=body)

    def client(self, **settings: Any) -> AsyncPayments:
        http = httpx.AsyncClient(transport=httpx.MockTransport(self.answer))
        return AsyncPayments("http://127.0.0.1:1", "client", "secret", http_client=http, **settings)


class TestAsyncPayments(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        # A new client opens the certificates of the machine, which the loop would call slow.
        asyncio.get_running_loop().slow_callback_duration = 5

    async def test_takes_one_token_for_all_tasks(self) -> None:
        service = Service()
        client = service.client()
        await asyncio.gather(*(client.charges.get(f"ch_{number}") for number in range(20)))
        self.assertEqual((service.tokens, len(service.requests)), (1, 20))

    async def test_other_tasks_run_while_one_waits(self) -> None:
        service = Service((503, {"retry-after": "1"}, {}))
        client = service.client()
        waiting = asyncio.create_task(client.charges.get("ch_1"))
        await asyncio.sleep(0.1)
        began = time.monotonic()
        await client.charges.get("ch_2")
        self.assertLess(time.monotonic() - began, 0.5)
        self.assertFalse(waiting.done())
        await waiting

    async def test_keeps_the_key_of_a_call_over_retries(self) -> None:
        service = Service((503, {}, {}), (503, {}, {}))
        await service.client().charges.create({"amount": 1, "currency": "EUR", "payment_method": "tok_visa"})
        keys = {request.headers["idempotency-key"] for request in service.requests}
        self.assertEqual((len(service.requests), len(keys)), (3, 1))

    async def test_a_cancelled_call_sends_nothing_more(self) -> None:
        service = Service((503, {"retry-after": "1"}, {}))
        client = service.client()
        call = asyncio.create_task(client.charges.get("ch_1"))
        await asyncio.sleep(0.2)
        call.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await call
        # The lock of the tokens and the connections are free for the next call.
        await client.charges.get("ch_2")
        self.assertEqual(len(service.requests), 2)

    async def test_asks_an_operation_as_often_as_told(self) -> None:
        service = Service((200, {"retry-after": "1"}, {"id": "op_1", "done": False, "status": "running"}))
        states: list[Any] = []
        began = time.monotonic()
        operation = await service.client().operations.wait("op_1", on_progress=states.append)
        self.assertEqual((operation["status"], len(states)), ("succeeded", 2))
        self.assertGreaterEqual(time.monotonic() - began, 1.0)

    async def test_stops_reading_pages_when_left(self) -> None:
        page = {"data": [{"id": "ch_1"}, {"id": "ch_2"}], "has_more": True, "next_cursor": "next"}
        service = Service((200, {}, page), (200, {}, {**page, "has_more": False}))
        items: list[Any] = []
        async for charge in service.client().charges.list():
            items.append(charge["id"])
            if len(items) == 3:
                break
        self.assertEqual(items, ["ch_1", "ch_2", "ch_1"])
        self.assertEqual(service.requests[1].url.params["starting_after"], "next")

    async def test_sends_any_request_and_closes_its_connections(self) -> None:
        service = Service()
        async with service.client() as client:
            answer = await client.request("GET", "/v1/operations/op_1")
        self.assertEqual(answer.body, done)
        async with AsyncPayments("http://127.0.0.1:1", access_token="t") as own:
            pass
        with self.assertRaises(RuntimeError):
            await own.charges.get("ch_1")

    async def test_has_the_methods_of_the_blocking_client(self) -> None:
        http = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(200)))
        blocking = Payments("http://127.0.0.1:1", access_token="t", http_client=http)
        self.assertEqual(_methods(Service().client()), _methods(blocking))

    async def test_a_blocking_client_works_inside_a_task(self) -> None:
        http = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(200, json=done)))
        client = Payments("http://127.0.0.1:1", access_token="t", http_client=http)
        self.assertEqual(client.operations.wait("op_1")["status"], "succeeded")


def _methods(client: Any) -> dict[str, list[str]]:
    """Returns the public methods of each resource."""
    resources = {name: value for name, value in vars(client).items() if not name.startswith("_")}
    return {name: [each for each in dir(value) if not each.startswith("_")] for name, value in resources.items()}


if __name__ == "__main__":
    unittest.main()
