# Made from openapi.json by `npm run openapi`.
"""The resources of a client."""

from __future__ import annotations

from .._sender import Sender
from . import access, charges, customers, figures, operations, webhooks


class Resources:
    """The resources of the API: a method for each operation of its document."""

    def __init__(self, sender: Sender) -> None:
        self.charges = charges.Charges(sender)
        self.refunds = charges.Refunds(sender)
        self.customers = customers.Customers(sender)
        self.idempotency_keys = customers.IdempotencyKeys(sender)
        self.requests = customers.Requests(sender)
        self.operations = operations.Operations(sender)
        self.exports = operations.Exports(sender)
        self.charge_batches = operations.ChargeBatches(sender)
        self.customer_reports = operations.CustomerReports(sender)
        self.webhook_endpoints = webhooks.WebhookEndpoints(sender)
        self.webhook_deliveries = webhooks.WebhookDeliveries(sender)
        self.events = webhooks.Events(sender)
        self.clients = access.Clients(sender)
        self.members = access.Members(sender)
        self.sessions = access.Sessions(sender)
        self.audit_entries = access.AuditEntries(sender)
        self.figures = figures.Figures(sender)
