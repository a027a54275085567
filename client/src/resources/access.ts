// Made from openapi.json by `npm run openapi`.
import { Resource } from '../caller.ts';
import type { CallOptions, CallPromise, ConditionalOptions } from '../calls.ts';
import type { Query, Schemas } from '../document.ts';
import { toList, type List } from '../lists.ts';

/** The programs that take tokens for the account. */
export class Clients extends Resource {
  /**
   * List the clients of the account, newest first. Returns clients, disabled ones too, without their
   * secrets.
   */
  list(query?: Query<'listClients'>, options?: CallOptions): List<Schemas['OAuthClient']> {
    return toList(query, options, (page, each) =>
      this.caller.send('get', '/v1/clients', { query: page }, each),
    );
  }

  /**
   * Create a client with a secret. The answer shows the secret, and no later answer does. A client gets no
   * scope that the token lacks. An account has at most 100 clients.
   */
  create(
    params: Schemas['NewOAuthClient'],
    options?: CallOptions,
  ): CallPromise<Schemas['OAuthClientWithSecret']> {
    return this.caller.send('post', '/v1/clients', { body: params }, options);
  }

  /** Read a client, without its secrets. Returns what the client may do, and how it proves itself. */
  get(id: string, options?: CallOptions): CallPromise<Schemas['OAuthClient']> {
    return this.caller.send('get', '/v1/clients/{id}', { params: { id } }, options);
  }

  /**
   * Give a client a new secret; the current one stays valid for a while. The answer shows the new secret,
   * and no later answer does. A secret that is older than the current one ends at once. The token needs
   * every scope of the client. With `overlap_seconds` 0 the current secret ends at once. Tokens that were
   * taken with it live for up to 10 minutes, unless the client is disabled.
   */
  rotateSecret(
    id: string,
    params: Schemas['OAuthClientSecretRotation'] = {},
    options?: CallOptions,
  ): CallPromise<Schemas['OAuthClientWithSecret']> {
    return this.caller.send(
      'post',
      '/v1/clients/{id}:rotate-secret',
      { params: { id }, body: params },
      options,
    );
  }

  /**
   * Refuse a client new tokens, and revoke those it has within 5 s. A client that is in this state already
   * stays as it is. The token needs every scope of the client.
   */
  disable(id: string, options?: CallOptions): CallPromise<Schemas['OAuthClient']> {
    return this.caller.send('post', '/v1/clients/{id}:disable', { params: { id } }, options);
  }

  /**
   * Give a client tokens again; its old ones stay revoked. A client that is in this state already stays as
   * it is. The token needs every scope of the client.
   */
  enable(id: string, options?: CallOptions): CallPromise<Schemas['OAuthClient']> {
    return this.caller.send('post', '/v1/clients/{id}:enable', { params: { id } }, options);
  }
}

/** The people of the account, who sign in to the console. */
export class Members extends Resource {
  /**
   * List the members of the account, newest first. The people who may sign in to the console, disabled ones
   * too.
   */
  list(query?: Query<'listMembers'>, options?: CallOptions): List<Schemas['Member']> {
    return toList(query, options, (page, each) =>
      this.caller.send('get', '/v1/members', { query: page }, each),
    );
  }

  /**
   * Create a member, who may sign in to the console. The token needs every scope of the role. An account has
   * at most 500 members. An e-mail address belongs to one member of the account. A person may be a member of
   * several accounts, which do not learn of each other.
   */
  create(params: Schemas['NewMember'], options?: CallOptions): CallPromise<Schemas['Member']> {
    return this.caller.send('post', '/v1/members', { body: params }, options);
  }

  /**
   * Read a member of the account. Returns a person of the account. Operators of the service belong to no
   * account. `answer()` has the `etag` that a change needs as `ifMatch`.
   */
  get(id: string, options?: CallOptions): CallPromise<Schemas['Member']> {
    return this.caller.send('get', '/v1/members/{id}', { params: { id } }, options);
  }

  /**
   * Change the name or the role of a member (RFC 7386). The token needs every scope of the role, and of the
   * new one. Another role ends the sessions of the member within 5 s. It needs `If-Match`.
   */
  update(
    id: string,
    params: Schemas['MemberPatch'],
    options: ConditionalOptions,
  ): CallPromise<Schemas['Member']> {
    return this.caller.send('patch', '/v1/members/{id}', { params: { id }, body: params }, options);
  }

  /**
   * End the sessions of a member within 5 s, and refuse new ones. A member that is in this state already
   * stays as it is. The token needs every scope of its role.
   */
  disable(id: string, options?: CallOptions): CallPromise<Schemas['Member']> {
    return this.caller.send('post', '/v1/members/{id}:disable', { params: { id } }, options);
  }

  /**
   * Let a member sign in again. A member that is in this state already stays as it is. The token needs every
   * scope of its role.
   */
  enable(id: string, options?: CallOptions): CallPromise<Schemas['Member']> {
    return this.caller.send('post', '/v1/members/{id}:enable', { params: { id } }, options);
  }
}

/** Where members of the account are signed in to the console. */
export class Sessions extends Resource {
  /**
   * List the sessions that last, newest first. Where members of the account are signed in to the console
   * now.
   */
  list(query?: Query<'listSessions'>, options?: CallOptions): List<Schemas['Session']> {
    return toList(query, options, (page, each) =>
      this.caller.send('get', '/v1/sessions', { query: page }, each),
    );
  }

  /**
   * Read a session, also one that has ended. Returns who signed in and when. Sessions that have ended are
   * kept for a short time.
   */
  get(id: string, options?: CallOptions): CallPromise<Schemas['Session']> {
    return this.caller.send('get', '/v1/sessions/{id}', { params: { id } }, options);
  }

  /**
   * End a session, and refuse its tokens within 5 s. A session that has ended stays as it is. The token
   * needs every scope of the role of its member.
   */
  end(id: string, options?: CallOptions): CallPromise<Schemas['Session']> {
    return this.caller.send('post', '/v1/sessions/{id}:end', { params: { id } }, options);
  }
}

/** What people did in the account, for a year. */
export class AuditEntries extends Resource {
  /**
   * List what was done in the account, newest first. Writes of members, refused ones too, their sign-ins,
   * writes of clients, and what operators of the service did and read. The entry of a change is made with
   * the change, in one transaction, so none is missing. Charges that clients make are not in it: they name
   * their client in the log of requests. Entries are kept for a year, and can be exported.
   */
  list(query?: Query<'listAuditEntries'>, options?: CallOptions): List<Schemas['AuditEntry']> {
    return toList(query, options, (page, each) =>
      this.caller.send('get', '/v1/audit-entries', { query: page }, each),
    );
  }
}
