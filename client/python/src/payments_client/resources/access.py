# Made from openapi.json by `npm run openapi`.
"""Clients, people and their sessions, and what people did."""

from __future__ import annotations

from typing import cast

from typing_extensions import Unpack

from .. import types
from .._options import CallOptions
from .._pages import Pages
from ._resource import Resource


class Clients(Resource):
    """The programs that take tokens for the account."""

    def list(
        self, query: types.ListClientsParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.OAuthClient]:
        """List the clients of the account, newest first.

        Returns clients, disabled ones too, without their secrets.
        """
        return self._list("/v1/clients", None, query, **options)

    def create(self, body: types.NewOAuthClient, **options: Unpack[CallOptions]) -> types.OAuthClientWithSecret:
        """Create a client with a secret.

        The answer shows the secret, and no later answer does. A client gets no scope that the token lacks. An account
        has at most 100 clients.
        """
        return cast(types.OAuthClientWithSecret, self._call("POST", "/v1/clients", None, body=body, **options))

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.OAuthClient:
        """Read a client, without its secrets.

        Returns what the client may do, and how it proves itself.
        """
        return cast(types.OAuthClient, self._call("GET", "/v1/clients/{id}", id, **options))

    def rotate_secret(
        self, id: str, body: types.OAuthClientSecretRotation | None = None, **options: Unpack[CallOptions]
    ) -> types.OAuthClientWithSecret:
        """Give a client a new secret; the current one stays valid for a while.

        The answer shows the new secret, and no later answer does. A secret that is older than the current one ends at
        once. The token needs every scope of the client. With `overlap_seconds` 0 the current secret ends at once.
        Tokens that were taken with it live for up to 10 minutes, unless the client is disabled.
        """
        answer = self._call("POST", "/v1/clients/{id}:rotate-secret", id, body=body or {}, **options)
        return cast(types.OAuthClientWithSecret, answer)

    def disable(self, id: str, **options: Unpack[CallOptions]) -> types.OAuthClient:
        """Refuse a client new tokens, and revoke those it has within 5 s.

        A client that is in this state already stays as it is. The token needs every scope of the client.
        """
        return cast(types.OAuthClient, self._call("POST", "/v1/clients/{id}:disable", id, body={}, **options))

    def enable(self, id: str, **options: Unpack[CallOptions]) -> types.OAuthClient:
        """Give a client tokens again; its old ones stay revoked.

        A client that is in this state already stays as it is. The token needs every scope of the client.
        """
        return cast(types.OAuthClient, self._call("POST", "/v1/clients/{id}:enable", id, body={}, **options))


class Members(Resource):
    """The people of the account, who sign in to the console."""

    def list(
        self, query: types.ListMembersParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.Member]:
        """List the members of the account, newest first.

        The people who may sign in to the console, disabled ones too.
        """
        return self._list("/v1/members", None, query, **options)

    def create(self, body: types.NewMember, **options: Unpack[CallOptions]) -> types.Member:
        """Create a member, who may sign in to the console.

        The token needs every scope of the role. An account has at most 500 members. An e-mail address belongs to one
        member of the account. A person may be a member of several accounts, which do not learn of each other.
        """
        return cast(types.Member, self._call("POST", "/v1/members", None, body=body, **options))

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Member:
        """Read a member of the account.

        Returns a person of the account. Operators of the service belong to no account. `on_answer` gets its `ETag`,
        which a change needs as `if_match`.
        """
        return cast(types.Member, self._call("GET", "/v1/members/{id}", id, **options))

    def update(self, id: str, body: types.MemberPatch, **options: Unpack[CallOptions]) -> types.Member:
        """Change the name or the role of a member (RFC 7386).

        The token needs every scope of the role, and of the new one. Another role ends the sessions of the member within
        5 s. It needs `If-Match`. Needs `if_match`: the `ETag` as it was read, or `*` for any.
        """
        return cast(types.Member, self._call("PATCH", "/v1/members/{id}", id, body=body, **options))

    def disable(self, id: str, **options: Unpack[CallOptions]) -> types.Member:
        """End the sessions of a member within 5 s, and refuse new ones.

        A member that is in this state already stays as it is. The token needs every scope of its role.
        """
        return cast(types.Member, self._call("POST", "/v1/members/{id}:disable", id, body={}, **options))

    def enable(self, id: str, **options: Unpack[CallOptions]) -> types.Member:
        """Let a member sign in again.

        A member that is in this state already stays as it is. The token needs every scope of its role.
        """
        return cast(types.Member, self._call("POST", "/v1/members/{id}:enable", id, body={}, **options))


class Sessions(Resource):
    """Where members of the account are signed in to the console."""

    def list(
        self, query: types.ListSessionsParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.Session]:
        """List the sessions that last, newest first.

        Where members of the account are signed in to the console now.
        """
        return self._list("/v1/sessions", None, query, **options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Session:
        """Read a session, also one that has ended.

        Returns who signed in and when. Sessions that have ended are kept for a short time.
        """
        return cast(types.Session, self._call("GET", "/v1/sessions/{id}", id, **options))

    def end(self, id: str, **options: Unpack[CallOptions]) -> types.Session:
        """End a session, and refuse its tokens within 5 s.

        A session that has ended stays as it is. The token needs every scope of the role of its member.
        """
        return cast(types.Session, self._call("POST", "/v1/sessions/{id}:end", id, body={}, **options))


class AuditEntries(Resource):
    """What people did in the account, for a year."""

    def list(
        self, query: types.ListAuditEntriesParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.AuditEntry]:
        """List what was done in the account, newest first.

        Writes of members, refused ones too, their sign-ins, writes of clients, and what operators of the service did
        and read. The entry of a change is made with the change, in one transaction, so none is missing. Charges that
        clients make are not in it: they name their client in the log of requests. Entries are kept for a year, and can
        be exported.
        """
        return self._list("/v1/audit-entries", None, query, **options)
