"""The client: settings, one request, and the resources."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

import httpx
from typing_extensions import Unpack

from ._answers import Answer, Request
from ._errors import PaymentsError, create_problem_error
from ._operations import API_VERSION
from ._options import CallOptions
from ._tokens import ClientCredentials, FixedToken, Tokens
from ._webhooks import Webhooks
from ._wire import Policy, Wire
from .resources import access, charges, customers, figures, operations, webhooks


class Payments:
    """A client of the payments API. Threads can share one.

    Every POST gets a key of its own, and every retry of it the same key, so that a retry never pays twice. Keep a key of
    your own (`idempotency_key`) with the order that is paid, and a retry after a crash does not either.

    base_url, client_id, client_secret: (Default: `PAYMENTS_URL`, `PAYMENTS_CLIENT_ID`, `PAYMENTS_CLIENT_SECRET`)
    access_token: a token instead of the two; its owner renews it.
    tokens: where tokens come from instead.
    scope: limits the tokens.
    timeout: seconds for one attempt. (Default: 60, longer than the service ever waits)
    max_retries: attempts after the first.
    http_client: sends the requests; its owner closes it.
    on_request, on_answer: get each attempt, without its token.
    """

    def __init__(
        self,
        base_url: str | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        *,
        access_token: str | None = None,
        tokens: Tokens | None = None,
        scope: str | None = None,
        timeout: float = 60.0,
        max_retries: int = 5,
        http_client: httpx.Client | None = None,
        on_request: Callable[[Request], None] | None = None,
        on_answer: Callable[[Request, Answer], None] | None = None,
    ) -> None:
        self._base_url = _setting("base_url", base_url, "PAYMENTS_URL").rstrip("/")
        self._policy = Policy(timeout, max_retries)
        self._owns_http = http_client is None
        self._http = http_client or httpx.Client()
        self.wire = Wire(self._http, tokens, on_request, on_answer)
        if access_token is not None:
            self.wire.tokens = FixedToken(access_token)
        elif tokens is None:
            self.wire.tokens = ClientCredentials(
                self._base_url,
                _setting("client_id", client_id, "PAYMENTS_CLIENT_ID"),
                _setting("client_secret", client_secret, "PAYMENTS_CLIENT_SECRET"),
                scope,
                lambda request: self.wire.send(request, self._policy, with_token=False),
            )
        self.charges = charges.Charges(self)
        self.refunds = charges.Refunds(self)
        self.customers = customers.Customers(self)
        self.operations = operations.Operations(self)
        self.exports = operations.Exports(self)
        self.charge_batches = operations.ChargeBatches(self)
        self.webhook_endpoints = webhooks.WebhookEndpoints(self)
        self.webhook_deliveries = webhooks.WebhookDeliveries(self)
        self.events = webhooks.Events(self)
        self.idempotency_keys = customers.IdempotencyKeys(self)
        self.requests = customers.Requests(self)
        self.figures = figures.Figures(self)
        self.clients = access.Clients(self)
        self.members = access.Members(self)
        self.sessions = access.Sessions(self)
        self.audit_entries = access.AuditEntries(self)
        self.webhooks = Webhooks()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        **options: Unpack[CallOptions],
    ) -> Answer:
        """Sends any request, and returns the last answer after all retries.

        A body of `bytes` or `str` is sent unchanged, any other as JSON. Raises `ProblemError`, `ConnectionError` and
        `TokenError`.
        """
        request = self.build(method, path, query=query, body=body, **options)
        answer = self.wire.send(request, self.policy(**options))
        if "on_answer" in options:
            options["on_answer"](answer)
        if answer.status >= 400:
            raise create_problem_error(answer)
        return answer

    def build(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        **options: Unpack[CallOptions],
    ) -> Request:
        """Returns the request as it is sent, without its token."""
        headers = {"accept": "*/*", "api-version": options.get("api_version", API_VERSION)}
        if body is not None:
            headers["content-type"] = "application/merge-patch+json" if method == "PATCH" else "application/json"
        if method == "POST":
            headers["idempotency-key"] = options.get("idempotency_key") or str(uuid.uuid4())
        if "if_match" in options:
            headers["if-match"] = options["if_match"]
        headers |= {name.lower(): value for name, value in options.get("headers", {}).items()}
        search = urlencode(list(_pairs(query or {})))
        url = self._base_url + path + (f"{'&' if '?' in path else '?'}{search}" if search else "")
        return Request(method, url, headers, _as_bytes(body))

    def policy(self, **options: Unpack[CallOptions]) -> Policy:
        """Returns how often and how long one call is tried."""
        return Policy(
            options.get("timeout", self._policy.timeout), options.get("max_retries", self._policy.max_retries)
        )

    def close(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> Payments:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _setting(name: str, given: str | None, variable: str) -> str:
    value = given or os.environ.get(variable)
    if not value:
        raise PaymentsError(f"Payments needs {name}: pass it, or set {variable}")
    return value


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
