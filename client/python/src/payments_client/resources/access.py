"""Clients, people and their sessions, and what people did."""

from __future__ import annotations

from typing import cast

from typing_extensions import Unpack

from .. import _operations as op
from .. import types
from .._options import CallOptions
from .._pages import Pages
from ._resource import Resource


class Clients(Resource):
    def create(self, body: types.NewOAuthClient, **options: Unpack[CallOptions]) -> types.OAuthClientWithSecret:
        """Only this answer has the `secret`. A client gets no scope that this one lacks."""
        return cast(types.OAuthClientWithSecret, self._call(op.CREATE_CLIENT, None, body, **options))

    def list(
        self, query: types.ListClientsParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.OAuthClient]:
        return self._list(op.LIST_CLIENTS, None, query, **options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.OAuthClient:
        return cast(types.OAuthClient, self._call(op.GET_CLIENT, id, **options))

    def rotate_secret(
        self, id: str, body: types.OAuthClientSecretRotation | None = None, **options: Unpack[CallOptions]
    ) -> types.OAuthClientWithSecret:
        """Makes a new secret. The current one stays valid until its overlap has ended."""
        return cast(types.OAuthClientWithSecret, self._call(op.ROTATE_CLIENT_SECRET, id, body or {}, **options))

    def disable(self, id: str, **options: Unpack[CallOptions]) -> types.OAuthClient:
        """Refuses it new tokens, and revokes those it has within 5 s."""
        return cast(types.OAuthClient, self._call(op.DISABLE_CLIENT, id, {}, **options))

    def enable(self, id: str, **options: Unpack[CallOptions]) -> types.OAuthClient:
        """Gives it tokens again. Its old ones stay revoked."""
        return cast(types.OAuthClient, self._call(op.ENABLE_CLIENT, id, {}, **options))


class Members(Resource):
    def list(
        self, query: types.ListMembersParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.Member]:
        """The people who may sign in to the console."""
        return self._list(op.LIST_MEMBERS, None, query, **options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Member:
        return cast(types.Member, self._call(op.GET_MEMBER, id, **options))

    def create(self, body: types.NewMember, **options: Unpack[CallOptions]) -> types.Member:
        """Makes a member, who gets no scope that this client lacks."""
        return cast(types.Member, self._call(op.CREATE_MEMBER, None, body, **options))

    def update(self, id: str, body: types.MemberPatch, **options: Unpack[CallOptions]) -> types.Member:
        """Changes the name or the role. Needs `if_match`. Another role ends the sessions of the member within 5 s."""
        return cast(types.Member, self._call(op.UPDATE_MEMBER, id, body, **options))

    def disable(self, id: str, **options: Unpack[CallOptions]) -> types.Member:
        """Ends the sessions of the member within 5 s, and refuses new ones."""
        return cast(types.Member, self._call(op.DISABLE_MEMBER, id, {}, **options))

    def enable(self, id: str, **options: Unpack[CallOptions]) -> types.Member:
        """Lets the member sign in again."""
        return cast(types.Member, self._call(op.ENABLE_MEMBER, id, {}, **options))


class Sessions(Resource):
    def list(
        self, query: types.ListSessionsParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.Session]:
        """Where members are signed in to the console now."""
        return self._list(op.LIST_SESSIONS, None, query, **options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Session:
        return cast(types.Session, self._call(op.GET_SESSION, id, **options))

    def end(self, id: str, **options: Unpack[CallOptions]) -> types.Session:
        """Ends it, and refuses its tokens within 5 s."""
        return cast(types.Session, self._call(op.END_SESSION, id, {}, **options))


class AuditEntries(Resource):
    def list(
        self, query: types.ListAuditEntriesParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.AuditEntry]:
        """What people did in the account, for a year."""
        return self._list(op.LIST_AUDIT_ENTRIES, None, query, **options)
