"""The clients: their settings and their resources."""

from __future__ import annotations

import os
from collections.abc import Callable

import httpx
from typing_extensions import TypedDict, Unpack

from ._answers import Answer, Request
from ._errors import PaymentsError
from ._options import RequestOptions, require_known
from ._sender import Sender
from ._tokens import AsyncTokens, BlockingTokens, ClientCredentials, FixedToken, Tokens
from ._transport import AsyncTransport, BlockingTransport, Transport, run
from ._webhooks import Webhooks
from ._wire import Policy, Wire
from .resources._all import Resources
from .resources._async_all import AsyncResources


class Settings(TypedDict, total=False):
    """The settings of both clients, as keyword arguments."""

    #: A token instead of `client_id` and `client_secret`; its owner renews it.
    access_token: str | None
    #: Limits the tokens.
    scope: str | None
    #: Seconds for one attempt. (Default: 60, longer than the service ever waits)
    timeout: float
    #: Attempts after the first. (Default: 5)
    max_retries: int
    #: Gets each attempt, without its token.
    on_request: Callable[[Request], None] | None
    #: Gets the answer to each attempt.
    on_answer: Callable[[Request, Answer], None] | None


class Payments(Resources):
    """A client of the payments API. Threads can share one.

    Every POST gets a key of its own, and every retry of it the same key, so that a retry never pays twice. Keep a key of
    your own (`idempotency_key`) with the order that is paid, and a retry after a crash does not either.

    base_url, client_id, client_secret: (Default: `PAYMENTS_URL`, `PAYMENTS_CLIENT_ID`, `PAYMENTS_CLIENT_SECRET`)
    tokens: where tokens come from instead.
    http_client: sends the requests; its owner closes it.
    settings: those of `Settings`.
    """

    def __init__(
        self,
        base_url: str | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        *,
        tokens: Tokens | None = None,
        http_client: httpx.Client | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        self._owns_http = http_client is None
        self._http = http_client or httpx.Client()
        given = None if tokens is None else BlockingTokens(tokens)
        transport = BlockingTransport(self._http)
        self._sender = _connect(transport, given, (base_url, client_id, client_secret), settings)
        super().__init__(self._sender)
        self.webhooks = Webhooks()

    def request(self, method: str, path: str, **options: Unpack[RequestOptions]) -> Answer:
        """Sends any request, and returns the last answer after all retries.

        Raises `ProblemError`, `ConnectionError` and `TokenError`.
        """
        return run(self._sender.send(method, path, **options))

    def close(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> Payments:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncPayments(AsyncResources):
    """A client of the payments API for asyncio: `await` its calls, and read lists and files with `async for`.

    The tasks of one event loop can share one. It takes the settings of `Payments`, and makes the same promises. After a
    task was cancelled the outcome of its call is not known: repeat it with its `idempotency_key`.
    """

    def __init__(
        self,
        base_url: str | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        *,
        tokens: AsyncTokens | None = None,
        http_client: httpx.AsyncClient | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        self._owns_http = http_client is None
        self._http = http_client or httpx.AsyncClient()
        transport = AsyncTransport(self._http)
        self._sender = _connect(transport, tokens, (base_url, client_id, client_secret), settings)
        super().__init__(self._sender)
        self.webhooks = Webhooks()

    async def request(self, method: str, path: str, **options: Unpack[RequestOptions]) -> Answer:
        """Sends any request, as `Payments.request` does."""
        return await self._sender.send(method, path, **options)

    async def close(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncPayments:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _connect(
    transport: Transport,
    tokens: AsyncTokens | None,
    place: tuple[str | None, str | None, str | None],
    settings: Settings,
) -> Sender:
    """Returns the sender of a client, with its tokens: given ones, one that was given, or those of the credentials."""
    require_known(settings, Settings.__optional_keys__)
    base_url, client_id, client_secret = place
    url = _setting("base_url", base_url, "PAYMENTS_URL").rstrip("/")
    policy = Policy(settings.get("timeout", 60.0), settings.get("max_retries", 5))
    access_token = settings.get("access_token")
    if access_token is not None:
        tokens = FixedToken(access_token)
    wire = Wire(transport, tokens, settings.get("on_request"), settings.get("on_answer"))
    if tokens is None:
        wire.tokens = ClientCredentials(
            url,
            _setting("client_id", client_id, "PAYMENTS_CLIENT_ID"),
            _setting("client_secret", client_secret, "PAYMENTS_CLIENT_SECRET"),
            settings.get("scope"),
            lambda request: wire.send(request, policy, with_token=False),
            transport.create_lock(),
        )
    return Sender(url, policy, wire)


def _setting(name: str, given: str | None, variable: str) -> str:
    value = given or os.environ.get(variable)
    if not value:
        raise PaymentsError(f"Payments needs {name}: pass it, or set {variable}")
    return value
