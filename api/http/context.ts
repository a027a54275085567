import type { ParameterizedContext } from 'koa';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import type { RequestState as AnyRequestState } from '#http/context.ts';

/** The state of a request to the API. */
export interface RequestState extends AnyRequestState {
  apiVersion: ApiVersion;
  /** The valid key of the request. */
  idempotencyKey: string | null;
}

export type Context = ParameterizedContext<RequestState>;
