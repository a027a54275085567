# Made from openapi.json by `npm run openapi`.
"""The resources of a client."""

from __future__ import annotations

from .._sender import Sender
from . import async_access, async_charges, async_customers, async_figures, async_operations, async_webhooks


class AsyncResources:
    """The resources of the API: a method for each operation of its document."""

    def __init__(self, sender: Sender) -> None:
        self.charges = async_charges.AsyncCharges(sender)
        self.refunds = async_charges.AsyncRefunds(sender)
        self.customers = async_customers.AsyncCustomers(sender)
        self.idempotency_keys = async_customers.AsyncIdempotencyKeys(sender)
        self.requests = async_customers.AsyncRequests(sender)
        self.operations = async_operations.AsyncOperations(sender)
        self.exports = async_operations.AsyncExports(sender)
        self.charge_batches = async_operations.AsyncChargeBatches(sender)
        self.customer_reports = async_operations.AsyncCustomerReports(sender)
        self.webhook_endpoints = async_webhooks.AsyncWebhookEndpoints(sender)
        self.webhook_deliveries = async_webhooks.AsyncWebhookDeliveries(sender)
        self.events = async_webhooks.AsyncEvents(sender)
        self.clients = async_access.AsyncClients(sender)
        self.members = async_access.AsyncMembers(sender)
        self.sessions = async_access.AsyncSessions(sender)
        self.audit_entries = async_access.AsyncAuditEntries(sender)
        self.figures = async_figures.AsyncFigures(sender)
