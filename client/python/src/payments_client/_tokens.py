"""Access tokens: one at a time, renewed before it expires."""

from __future__ import annotations

import base64
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol
from urllib.parse import quote, urlencode

from ._answers import Answer, Request
from ._errors import TokenError

#: The part of a token's life after which it is renewed: no request may outlive its token.
_share = 0.9


class Tokens(Protocol):
    """Where `Payments` takes its tokens from."""

    def current(self) -> str:
        """Returns a token that stays valid for some time."""

    def refuse(self, token: str) -> None:
        """Drops a refused token: the next caller gets another."""


class AsyncTokens(Protocol):
    """Where `AsyncPayments` takes its tokens from."""

    async def current(self) -> str:
        """Returns a token that stays valid for some time."""

    async def refuse(self, token: str) -> None:
        """Drops a refused token: the next caller gets another."""


class BlockingTokens:
    """Tokens whose owner blocks."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    async def current(self) -> str:
        return self._tokens.current()

    async def refuse(self, token: str) -> None:
        self._tokens.refuse(token)


class FixedToken:
    """One token that its owner renews."""

    def __init__(self, token: str) -> None:
        self._token = token

    async def current(self) -> str:
        return self._token

    async def refuse(self, token: str) -> None:
        pass


class ClientCredentials:
    """The client credentials grant (RFC 6749 §4.4). All who share a client share one token."""

    def __init__(
        self,
        base_url: str,
        client_id: str,
        client_secret: str,
        scope: str | None,
        send: Callable[[Request], Awaitable[Answer]],
        lock: AbstractAsyncContextManager[Any],
    ) -> None:
        form = {"grant_type": "client_credentials", **({"scope": scope} if scope is not None else {})}
        # Both halves are form-encoded first (RFC 6749 §2.3.1).
        pair = f"{quote(client_id, safe='')}:{quote(client_secret, safe='')}".encode()
        headers = {
            "authorization": f"Basic {base64.b64encode(pair).decode()}",
            "content-type": "application/x-www-form-urlencoded",
        }
        self._request = Request("POST", f"{base_url}/oauth2/token", headers, urlencode(form).encode())
        self._send = send
        self._lock = lock
        self._token: str | None = None
        self._until = 0.0

    async def current(self) -> str:
        """Raises `TokenError` if the issuer refuses, and `ConnectionError` if it does not answer."""
        async with self._lock:
            if self._token is not None and time.monotonic() < self._until:
                return self._token
            asked_at = time.monotonic()
            answer = await self._send(self._request)
            body = answer.body if isinstance(answer.body, dict) else {}
            token = body.get("access_token")
            if answer.status != 200 or not isinstance(token, str):
                raise TokenError(answer)
            self._token = token
            self._until = asked_at + float(body.get("expires_in", 0)) * _share
            return token

    async def refuse(self, token: str) -> None:
        async with self._lock:
            if self._token == token:
                self._token = None
