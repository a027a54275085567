"""Work that lasts longer than its request: operations, exports and charge batches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import cast

from typing_extensions import Unpack

from .. import _operations as op
from .. import types
from .._answers import Answer
from .._downloads import download
from .._errors import PaymentsError
from .._errors import TimeoutError as WaitTimeoutError
from .._options import CallOptions
from .._pages import Pages
from .._retries import retry_after
from ._resource import Resource


class _Work(Resource):
    def _download(self, operation: op.Operation, id: str, **options: Unpack[CallOptions]) -> Iterator[bytes]:
        found = self._call(operation, id, **options)
        result = found.get("response")
        if result is None:
            raise PaymentsError(f"{found['id']} is {found['status']}: it has no result")
        # The service may know itself by another address, and by another path, than this client does.
        href: str = result["href"]
        request = self._sender.build("GET", href[href.index("/v1/") :], **options)
        return download(self._sender.wire, request, result, self._sender.policy(**options))


class Operations(_Work):
    def list(
        self, query: types.ListOperationsParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.Operation]:
        return self._list(op.LIST_OPERATIONS, None, query, **options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Operation:
        return cast(types.Operation, self._call(op.GET_OPERATION, id, **options))

    def cancel(self, id: str, **options: Unpack[CallOptions]) -> types.Operation:
        return cast(types.Operation, self._call(op.CANCEL_OPERATION, id, {}, **options))

    def delete(self, id: str, **options: Unpack[CallOptions]) -> types.Operation:
        """Cancels, as `cancel` does."""
        return cast(types.Operation, self._call(op.DELETE_OPERATION, id, **options))

    def result(self, id: str, **options: Unpack[CallOptions]) -> Iterator[bytes]:
        """The parts of the result file. Raises `DownloadError` at its end if the SHA-256 is another."""
        return self._download(op.GET_OPERATION, id, **options)

    def wait(
        self,
        operation: types.Operation | str,
        *,
        on_progress: Callable[[types.Operation], None] | None = None,
        within: float | None = None,
        **options: Unpack[CallOptions],
    ) -> types.Operation:
        """Returns the operation once it is done, with its `error` or `response`.

        It asks as often as the service says (`Retry-After`). `on_progress` gets each state; `within` is in seconds
        (default: without end), and raises `TimeoutError`.
        """
        id = operation if isinstance(operation, str) else operation["id"]
        end = None if within is None else time.monotonic() + within
        answers: list[Answer] = []
        while True:
            options["on_answer"] = answers.append
            current = self.get(id, **options)
            if on_progress is not None:
                on_progress(current)
            if current["done"]:
                return current
            pause = min(retry_after(answers.pop()) or 1.0, 60.0)
            if end is not None and time.monotonic() + pause > end:
                raise WaitTimeoutError(f"{id} is {current['status']} after {within} s: wait for it again")
            time.sleep(pause)


class Exports(_Work):
    def create(self, body: types.NewExport, **options: Unpack[CallOptions]) -> types.ExportOperation:
        return cast(types.ExportOperation, self._call(op.CREATE_EXPORT, None, body, **options))

    def list(
        self, query: types.ListExportsParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.ExportOperation]:
        return self._list(op.LIST_EXPORTS, None, query, **options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.ExportOperation:
        return cast(types.ExportOperation, self._call(op.GET_EXPORT, id, **options))

    def cancel(self, id: str, **options: Unpack[CallOptions]) -> types.ExportOperation:
        return cast(types.ExportOperation, self._call(op.CANCEL_EXPORT, id, {}, **options))

    def download(self, id: str, **options: Unpack[CallOptions]) -> Iterator[bytes]:
        """The parts of the file. Raises `DownloadError` at its end if the SHA-256 is another."""
        return self._download(op.GET_EXPORT, id, **options)


class ChargeBatches(_Work):
    def create(self, body: types.NewChargeBatch, **options: Unpack[CallOptions]) -> types.ChargeBatchOperation:
        return cast(types.ChargeBatchOperation, self._call(op.CREATE_CHARGE_BATCH, None, body, **options))

    def list(
        self, query: types.ListChargeBatchesParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.ChargeBatchOperation]:
        return self._list(op.LIST_CHARGE_BATCHES, None, query, **options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.ChargeBatchOperation:
        return cast(types.ChargeBatchOperation, self._call(op.GET_CHARGE_BATCH, id, **options))

    def cancel(self, id: str, **options: Unpack[CallOptions]) -> types.ChargeBatchOperation:
        return cast(types.ChargeBatchOperation, self._call(op.CANCEL_CHARGE_BATCH, id, {}, **options))

    def download(self, id: str, **options: Unpack[CallOptions]) -> Iterator[bytes]:
        """A line of NDJSON for each charge. Raises `DownloadError` at its end if the SHA-256 is another."""
        return self._download(op.GET_CHARGE_BATCH, id, **options)
