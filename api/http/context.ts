import type { ParameterizedContext } from 'koa';
import type { ApiVersion } from '#domain/version-change.ts';

/** What is known of a request from its first middleware on; the access log reads it at the end. */
export interface RequestState {
  /** 32 hex digits (W3C Trace Context). */
  traceId: string;
  apiVersion: ApiVersion;
  /** Template of the route that matched, `null` until one did. */
  route: string | null;
  accountId: string | null;
  clientId: string | null;
  /** Refused for the load of the service, before anything of it was looked at. */
  isTurnedAway: boolean;
}

export type Context = ParameterizedContext<RequestState>;
