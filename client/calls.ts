/** The options of one call. */
export interface CallOptions {
  /** The key of the logical operation. (Default: a new one for each call; `null`: none) */
  idempotencyKey?: string | null;
  signal?: AbortSignal;
}

/** An answer of the service. */
export interface Answer<Body = unknown> {
  status: number;
  headers: Headers;
  /** The body as text. */
  text: string;
  /** The parsed JSON; `null` if there is none. */
  body: Body;
}
