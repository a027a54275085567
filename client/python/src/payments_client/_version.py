# Made from openapi.json by `npm run openapi`.
"""The version of the API that the types of this package are of."""

API_VERSION = "2026-11-01"
