/** How one call is made. */
export interface CallOptions {
  /** One per logical operation. (Default: a fresh one a call; `null`: none) */
  idempotencyKey?: string | null;
  signal?: AbortSignal;
}

/** An answer of the service. */
export interface Answer<Body = unknown> {
  status: number;
  headers: Headers;
  /** As it came. */
  text: string;
  /** The JSON in it; `null` where there is none. */
  body: Body;
}
