import type { Caller } from '../caller.ts';
import type { CallOptions, CallPromise } from '../calls.ts';
import { toList, type List } from '../lists.ts';
import type {
  NewOAuthClient,
  OAuthClient,
  OAuthClientQuery,
  OAuthClientSecretRotation,
  OAuthClientWithSecret,
} from '../types.ts';

/** The programs that take tokens for the account. */
export class Clients {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Only this answer shows the `secret`. A client gets no scope that this one lacks. */
  create(params: NewOAuthClient, options?: CallOptions): CallPromise<OAuthClientWithSecret> {
    return this.#caller.send('post', '/v1/clients', { body: params }, options);
  }

  /** Newest first, disabled ones too. */
  list(query?: OAuthClientQuery, options?: CallOptions): List<OAuthClient> {
    return toList(query, options, (page, each) =>
      this.#caller.send('get', '/v1/clients', { query: page }, each),
    );
  }

  get(id: string, options?: CallOptions): CallPromise<OAuthClient> {
    return this.#caller.send('get', '/v1/clients/{id}', { params: { id } }, options);
  }

  /** Makes a new secret; the current one stays valid for a time. */
  rotateSecret(
    id: string,
    params: OAuthClientSecretRotation = {},
    options?: CallOptions,
  ): CallPromise<OAuthClientWithSecret> {
    const path = '/v1/clients/{id}:rotate-secret';
    return this.#caller.send('post', path, { params: { id }, body: params }, options);
  }

  /** Refuses it new tokens, and revokes those it has within 5 s. */
  disable(id: string, options?: CallOptions): CallPromise<OAuthClient> {
    return this.#caller.send('post', '/v1/clients/{id}:disable', { params: { id } }, options);
  }

  /** Gives it tokens again. Its old ones stay revoked. */
  enable(id: string, options?: CallOptions): CallPromise<OAuthClient> {
    return this.#caller.send('post', '/v1/clients/{id}:enable', { params: { id } }, options);
  }
}
