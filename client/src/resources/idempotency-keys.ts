import type { Caller } from '../caller.ts';
import type { CallOptions, CallPromise } from '../calls.ts';
import type { IdempotencyKeyState } from '../types.ts';

export class IdempotencyKeys {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Says what became of the request that this key was sent with. */
  get(key: string, options?: CallOptions): CallPromise<IdempotencyKeyState> {
    return this.#caller.send('get', '/v1/idempotency-keys/{key}', { params: { key } }, options);
  }
}
