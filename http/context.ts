import type { ParameterizedContext } from 'koa';

/** The state that every process of ours gives a request, from its first middleware on. The log line reads it at the end. */
export interface RequestState {
  /** 32 hex digits (W3C Trace Context). */
  traceId: string;
  /** The template of the route that matched; `null` before. */
  route: string | null;
  accountId: string | null;
  clientId: string | null;
  /** The person who acts; `null` for a program. */
  memberId: string | null;
  /** The request was refused because of load, before it was read. */
  isTurnedAway: boolean;
}

export type Context = ParameterizedContext<RequestState>;
