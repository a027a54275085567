import type { ParameterizedContext } from 'koa';
import type { ApiVersion } from '#domain/versions/version-change.ts';

/** The state of a request from its first middleware on. The access log reads it at the end. */
export interface RequestState {
  /** 32 hex digits (W3C Trace Context). */
  traceId: string;
  apiVersion: ApiVersion;
  /** The template of the route that matched; `null` before. */
  route: string | null;
  accountId: string | null;
  clientId: string | null;
  /** The person of the token; `null` for a token of a program. */
  memberId: string | null;
  /** The valid key of the request. */
  idempotencyKey: string | null;
  /** The request was refused because of load, before it was read. */
  isTurnedAway: boolean;
}

export type Context = ParameterizedContext<RequestState>;
