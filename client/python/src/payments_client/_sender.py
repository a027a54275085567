"""Sends the requests of a client."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from typing_extensions import Unpack

from ._answers import Answer, Request
from ._errors import create_problem_error
from ._options import CallOptions, RequestOptions, require_known
from ._version import API_VERSION
from ._wire import Policy, Wire


class Sender:
    """Builds any request, and sends it until it is answered. The resources of a client call it."""

    def __init__(self, base_url: str, policy: Policy, wire: Wire) -> None:
        self.wire = wire
        self._base_url = base_url
        self._policy = policy

    async def send(self, method: str, path: str, **options: Unpack[RequestOptions]) -> Answer:
        """Returns the last answer after all retries. Raises `ProblemError`, `ConnectionError` and `TokenError`."""
        answer = await self.wire.send(self.build(method, path, **options), self.policy(options))
        if "on_answer" in options:
            options["on_answer"](answer)
        if answer.status >= 400:
            raise create_problem_error(answer)
        return answer

    def build(self, method: str, path: str, **options: Unpack[RequestOptions]) -> Request:
        """Returns the request as it is sent, without its token. It has its key, which all retries keep."""
        require_known(options, RequestOptions.__optional_keys__)
        body = options.get("body")
        headers = {"accept": "*/*", "api-version": options.get("api_version", API_VERSION)}
        if body is not None:
            headers["content-type"] = "application/merge-patch+json" if method == "PATCH" else "application/json"
        if method == "POST":
            headers["idempotency-key"] = options.get("idempotency_key") or str(uuid.uuid4())
        if "if_match" in options:
            headers["if-match"] = options["if_match"]
        headers |= {name.lower(): value for name, value in options.get("headers", {}).items()}
        search = urlencode(list(_pairs(options.get("query") or {})))
        url = self._base_url + path + (f"{'&' if '?' in path else '?'}{search}" if search else "")
        return Request(method, url, headers, _as_bytes(body))

    def policy(self, options: CallOptions) -> Policy:
        """Returns how often and how long one call is tried."""
        return Policy(
            options.get("timeout", self._policy.timeout), options.get("max_retries", self._policy.max_retries)
        )


def _pairs(query: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A dictionary in a query is a filter by names: `metadata[order]=6735`. A list is repeated."""
    for name, value in query.items():
        if isinstance(value, Mapping):
            yield from _pairs({f"{name}[{key}]": each for key, each in value.items()})
        elif isinstance(value, (list, tuple)):
            for each in value:
                yield name, _as_text(each)
        elif value is not None:
            yield name, _as_text(value)


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _as_bytes(body: Any) -> bytes | None:
    if body is None or isinstance(body, bytes):
        return body
    return body.encode() if isinstance(body, str) else json.dumps(body).encode()
