/** The limits of the account's bucket, as of this answer. */
export interface RateLimit {
  /** The most requests in the bucket. */
  limit: number;
  /** The requests that are left. */
  remaining: number;
  /** Seconds until more are allowed. */
  resetSeconds: number;
}

/** The headers of an answer. `get` reads any; the members are those that the service describes. */
export class AnswerHeaders extends Headers {
  /** Names the request in the logs of the service; `null` if another server answered. */
  get traceId(): string | null {
    return this.get('trace-id');
  }

  /** The version of the answer, such as `2026-11-01`. */
  get apiVersion(): string | null {
    return this.get('api-version');
  }

  /** For `ifMatch` of a change. */
  get etag(): string | null {
    return this.get('etag');
  }

  get lastModified(): Date | null {
    const time = Date.parse(this.get('last-modified') ?? '');
    return Number.isNaN(time) ? null : new Date(time);
  }

  /** The path of what was created. */
  get location(): string | null {
    return this.get('location');
  }

  /** Whether the answer was stored under this key before. */
  get isReplay(): boolean {
    return this.get('idempotent-replayed') === 'true';
  }

  /** The milliseconds of Retry-After, given in seconds or as a date (RFC 9110 §10.2.3); `null` if there is none. */
  get retryAfterMs(): number | null {
    const value = this.get('retry-after');
    if (value === null) return null;
    if (/^\d+$/.test(value)) return Number(value) * 1_000;
    const date = Date.parse(value);
    return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
  }

  /** `null` if the answer names none. */
  get rateLimit(): RateLimit | null {
    const [limit, remaining, resetSeconds] = ['limit', 'remaining', 'reset'].map((name) =>
      Number(this.get(`ratelimit-${name}`) ?? Number.NaN),
    ) as [number, number, number];
    return Number.isNaN(limit) ? null : { limit, remaining, resetSeconds };
  }

  /** When the version of the answer ends; `null` while it is not deprecated (RFC 8594). */
  get sunset(): Date | null {
    const time = Date.parse(this.get('sunset') ?? '');
    return Number.isNaN(time) ? null : new Date(time);
  }
}
