# Made from openapi.json by `npm run openapi`.
"""Work that lasts longer than its request: operations, exports, charge batches and reports."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import cast

from typing_extensions import Unpack

from .. import types
from .._options import CallOptions
from .._pages import AsyncPages
from ._work import AsyncResultResource, AsyncWaitingResource


class AsyncOperations(AsyncWaitingResource):
    """Work that lasts longer than its request."""

    def result(self, id: str, **options: Unpack[CallOptions]) -> AsyncIterator[bytes]:
        """The parts of the file.

        Reading goes on where a connection was cut. Raises `DownloadError` at its end if the SHA-256 is another.
        """
        return self._download(self.get(id, **options), **options)

    def list(
        self, query: types.ListOperationsParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> AsyncPages[types.Operation]:
        """List operations, newest first.

        All filters must hold. Finished operations are kept for 30 days.
        """
        return self._list("/v1/operations", None, query, **options)

    async def get(self, id: str, **options: Unpack[CallOptions]) -> types.Operation:
        """Read an operation.

        Poll it until `done` is true, no faster than `Retry-After` says. It can be read for 30 days after its end.
        """
        return cast(types.Operation, await self._call("GET", "/v1/operations/{id}", id, **options))

    async def delete(self, id: str, **options: Unpack[CallOptions]) -> types.Operation:
        """Cancel an operation, as `:cancel` does; it stays readable.

        The same as `POST /v1/operations/{id}:cancel`, without a body.
        """
        return cast(types.Operation, await self._call("DELETE", "/v1/operations/{id}", id, **options))

    async def cancel(self, id: str, **options: Unpack[CallOptions]) -> types.Operation:
        """Cancel an operation; one that is done stays as it is.

        A request, not a guarantee: the work stops as soon as it can. What was done by then stays done. Poll the
        operation to learn how it ends.
        """
        return cast(types.Operation, await self._call("POST", "/v1/operations/{id}:cancel", id, body={}, **options))


class AsyncExports(AsyncResultResource):
    """Files of charges, refunds, events and the audit."""

    async def create(self, body: types.NewExport, **options: Unpack[CallOptions]) -> types.ExportOperation:
        """Export charges, refunds, events or the audit to a file.

        The file holds every row that exists when the export is accepted, and no later one. Poll the operation for the
        link to the file, no faster than `Retry-After` says. `operations.wait` waits for it.
        """
        return cast(types.ExportOperation, await self._call("POST", "/v1/exports", None, body=body, **options))

    def list(
        self, query: types.ListExportsParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> AsyncPages[types.ExportOperation]:
        """List exports, newest first.

        All filters must hold. Finished operations are kept for 30 days.
        """
        return self._list("/v1/exports", None, query, **options)

    async def get(self, id: str, **options: Unpack[CallOptions]) -> types.ExportOperation:
        """Read an export.

        Poll it until `done` is true, no faster than `Retry-After` says. It can be read for 30 days after its end.
        """
        return cast(types.ExportOperation, await self._call("GET", "/v1/exports/{id}", id, **options))

    async def cancel(self, id: str, **options: Unpack[CallOptions]) -> types.ExportOperation:
        """Cancel an export; one that is done stays as it is.

        A request, not a guarantee: the work stops as soon as it can. What was done by then stays done. Poll the
        operation to learn how it ends.
        """
        return cast(types.ExportOperation, await self._call("POST", "/v1/exports/{id}/cancel", id, body={}, **options))

    def download(self, id: str, **options: Unpack[CallOptions]) -> AsyncIterator[bytes]:
        """The parts of the file.

        Reading goes on where a connection was cut. Raises `DownloadError` at its end if the SHA-256 is another.
        """
        return self._download(self.get(id, **options), **options)


class AsyncChargeBatches(AsyncResultResource):
    """Many charges in one request."""

    async def create(self, body: types.NewChargeBatch, **options: Unpack[CallOptions]) -> types.ChargeBatchOperation:
        """Submit a batch of charges.

        Submits up to 10,000 charges. Each succeeds or fails on its own. Poll the operation. Its result is a file of
        `application/x-ndjson` with one line for each row, in the order of the request. `operations.wait` waits for it.
        """
        answer = await self._call("POST", "/v1/charge-batches", None, body=body, **options)
        return cast(types.ChargeBatchOperation, answer)

    def list(
        self, query: types.ListChargeBatchesParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> AsyncPages[types.ChargeBatchOperation]:
        """List charge batches, newest first.

        All filters must hold. Finished operations are kept for 30 days.
        """
        return self._list("/v1/charge-batches", None, query, **options)

    async def get(self, id: str, **options: Unpack[CallOptions]) -> types.ChargeBatchOperation:
        """Read a charge batch.

        Poll it until `done` is true, no faster than `Retry-After` says. It can be read for 30 days after its end.
        """
        return cast(types.ChargeBatchOperation, await self._call("GET", "/v1/charge-batches/{id}", id, **options))

    async def cancel(self, id: str, **options: Unpack[CallOptions]) -> types.ChargeBatchOperation:
        """Cancel a charge batch; one that is done stays as it is.

        A request, not a guarantee: the work stops as soon as it can. What was done by then stays done. Poll the
        operation to learn how it ends.
        """
        answer = await self._call("POST", "/v1/charge-batches/{id}/cancel", id, body={}, **options)
        return cast(types.ChargeBatchOperation, answer)

    def download(self, id: str, **options: Unpack[CallOptions]) -> AsyncIterator[bytes]:
        """The parts of the file.

        Reading goes on where a connection was cut. Raises `DownloadError` at its end if the SHA-256 is another.
        """
        return self._download(self.get(id, **options), **options)


class AsyncCustomerReports(AsyncResultResource):
    """Files of what each customer has paid and got back."""

    async def create(
        self, body: types.NewCustomerReport, **options: Unpack[CallOptions]
    ) -> types.CustomerReportOperation:
        """Report to a file what each customer has paid.

        The file has a line for each customer that has paid, and for each currency: `customer`, `currency`, `charges`
        (how many were captured), `amount_captured`, `amount_refunded` (with refunds that are under way),
        `amount_returned`, and `last_captured`. Charges without a customer are in no line. It is made of every charge
        that exists when the report is accepted, and of no later one. Poll the operation for the link to the file, no
        faster than `Retry-After` says. `operations.wait` waits for it.
        """
        answer = await self._call("POST", "/v1/customer-reports", None, body=body, **options)
        return cast(types.CustomerReportOperation, answer)

    def list(
        self, query: types.ListCustomerReportsParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> AsyncPages[types.CustomerReportOperation]:
        """List customer reports, newest first.

        All filters must hold. Finished operations are kept for 30 days.
        """
        return self._list("/v1/customer-reports", None, query, **options)

    async def get(self, id: str, **options: Unpack[CallOptions]) -> types.CustomerReportOperation:
        """Read a customer report.

        Poll it until `done` is true, no faster than `Retry-After` says. It can be read for 30 days after its end.
        """
        return cast(types.CustomerReportOperation, await self._call("GET", "/v1/customer-reports/{id}", id, **options))

    async def cancel(self, id: str, **options: Unpack[CallOptions]) -> types.CustomerReportOperation:
        """Cancel a customer report; one that is done stays as it is.

        A request, not a guarantee: the work stops as soon as it can. What was done by then stays done. Poll the
        operation to learn how it ends.
        """
        answer = await self._call("POST", "/v1/customer-reports/{id}/cancel", id, body={}, **options)
        return cast(types.CustomerReportOperation, answer)

    def download(self, id: str, **options: Unpack[CallOptions]) -> AsyncIterator[bytes]:
        """The parts of the file.

        Reading goes on where a connection was cut. Raises `DownloadError` at its end if the SHA-256 is another.
        """
        return self._download(self.get(id, **options), **options)
