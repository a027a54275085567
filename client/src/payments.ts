import { Caller } from './caller.ts';
import type { Answer, RequestOptions } from './calls.ts';
import type { ClientOptions } from './options.ts';
import { Resources } from './resources/all.ts';
import { Webhooks } from './webhooks.ts';
import { Wire } from './wire.ts';

/**
 * A client of the payments API.
 *
 * ```ts
 * const client = new Payments({ baseUrl, clientId, clientSecret });
 * const charge = await client.charges.create({ amount: 1999, currency: 'EUR', payment_method: 'tok_visa' });
 * ```
 *
 * Every POST gets a key of its own, and every retry of it the same key, so that a retry never pays twice.
 */
export class Payments extends Resources {
  /** Verifies deliveries. */
  readonly webhooks: Webhooks;
  readonly #wire: Wire;

  /** @throws {PaymentsError} if `baseUrl` is not a URL, or there are no credentials. */
  constructor(options: ClientOptions) {
    const wire = new Wire(options);
    super(new Caller(wire));
    this.#wire = wire;
    this.webhooks = new Webhooks();
  }

  /**
   * Sends any request, with this client's token, keys and retries. Without `apiVersion` the answer is in the version
   * of the account.
   *
   * @throws {ProblemError} for an answer of 400 or more; its `answer` has all of it.
   * @throws {ConnectionError} if no attempt got an answer.
   */
  request<Body = unknown>(method: string, path: string, options?: RequestOptions): Promise<Answer<Body>> {
    return this.#wire.send(method, path, options);
  }

  /** Returns this client's token, for requests outside of it. @throws {TokenError} */
  accessToken(): Promise<string> {
    return this.#wire.tokens.current();
  }
}
