"""All errors that this client raises. Each is a `PaymentsError`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ._answers import Answer

if TYPE_CHECKING:
    from .types import Problem


class PaymentsError(Exception):
    """The base of all errors of this client."""


class ProblemError(PaymentsError):
    """The service refused the request, or failed. New codes may appear: keep a default where you branch."""

    def __init__(self, answer: Answer) -> None:
        #: The status of the answer.
        self.status = answer.status
        self.headers = answer.headers
        body: dict[str, Any] = answer.body if answer.code is not None else {}
        #: The problem document (RFC 9457); `None` if another server answered.
        self.problem = cast("Problem | None", body or None)
        #: Programs branch on it.
        self.code: str | None = body.get("code")
        #: Why a card was declined.
        self.decline_code: str | None = body.get("decline_code")
        #: What to do after the decline, such as `retry_later`.
        self.advice: str | None = body.get("advice")
        #: The id of the charge that failed.
        self.charge: str | None = body.get("charge")
        #: The first parameter that is wrong, such as `amount`.
        self.param: str | None = _read_param(body)
        #: Names the request in the logs of the service.
        self.trace_id: str | None = body.get("trace_id") or answer.headers.get("trace-id")
        super().__init__(
            f"{self.status} {self.code}: {_describe(body)}"
            if self.code
            else f"The service answered {self.status}"
        )


class InvalidRequestError(ProblemError):
    """400, 422 and other refusals of what was sent: `param` names the part that is wrong."""


class AuthenticationError(ProblemError):
    """401: the token is not valid."""


class CardDeclinedError(ProblemError):
    """402: the payment failed; `decline_code` says why, and `advice` what to do."""


class PermissionError(ProblemError):
    """403: the client may not do this."""


class NotFoundError(ProblemError):
    """404 or 410: there is no such resource, or there is none any more."""


class ConflictError(ProblemError):
    """409 or 412: the state of the resource does not allow it, or it has changed meanwhile."""


class RateLimitError(ProblemError):
    """429, after all retries."""


class ServiceError(ProblemError):
    """5xx, after all retries. The request may have had its effect: send it again with its key."""


class ConnectionError(PaymentsError):
    """No answer came that tells the outcome. The request may have had its effect: send it again with its key."""


class TimeoutError(ConnectionError):
    """No answer came in time. The request may have had its effect: send it again with its key."""


class TokenError(PaymentsError):
    """The issuer refused a token; `code` is one of RFC 6749 §5.2."""

    def __init__(self, answer: Answer) -> None:
        body = answer.body if isinstance(answer.body, dict) else {}
        self.status = answer.status
        self.code: str | None = body.get("error")
        detail = body.get("error_description", "")
        super().__init__(f"No token: {answer.status} {self.code or ''} {detail}".rstrip())


class WebhookSignatureError(PaymentsError):
    """The webhook is not signed with this secret, or is older than the tolerance: answer 400."""


class DownloadError(PaymentsError):
    """The file has another SHA-256 or size than the operation says: throw away what was read."""


_classes: dict[int, type[ProblemError]] = {
    401: AuthenticationError,
    402: CardDeclinedError,
    403: PermissionError,
    404: NotFoundError,
    409: ConflictError,
    410: NotFoundError,
    412: ConflictError,
    429: RateLimitError,
}


def create_problem_error(answer: Answer) -> ProblemError:
    """Returns the error of an answer of 400 or more."""
    if answer.status >= 500:
        return ServiceError(answer)
    return _classes.get(answer.status, InvalidRequestError)(answer)


def _read_faults(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the faults of a body. An error is reported even if a member of it is not as this package knows it."""
    faults = body.get("errors")
    return [fault for fault in faults if isinstance(fault, dict)] if isinstance(faults, list) else []


def _to_param(fault: dict[str, Any]) -> str:
    """Returns the name of a member, such as `amount` or `charges.0.amount`."""
    return str(fault.get("pointer", "")).removeprefix("/").replace("/", ".")


def _read_param(body: dict[str, Any]) -> str | None:
    faults = _read_faults(body)
    return _to_param(faults[0]) if faults else None


def _describe(body: dict[str, Any]) -> str:
    """Returns what is wrong, member by member where the service says so."""
    says = "; ".join(f"{_to_param(fault)} {fault.get('detail')}" for fault in _read_faults(body))
    return says or str(body.get("detail"))

