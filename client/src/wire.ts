import { attemptOnce, type Attempt, type AttemptAnswer } from './attempt.ts';
import type { Answer, RequestOptions } from './calls.ts';
import { ConnectionError, PaymentsError, toProblemError } from './errors.ts';
import type { ClientOptions } from './options.ts';
import {
  isLost,
  isWorthRepeating,
  judgeAfterLoss,
  sleep,
  standardBackoff,
  waitMs,
  type Backoff,
  type Sent,
} from './retries.ts';
import { givenTokens, grantedTokens, type Tokens } from './tokens.ts';

/** A request, ready to be sent as often as needed. */
interface Prepared extends Sent {
  attempt: Omit<Attempt, 'attempt' | 'token'>;
  /** Whether this client's token goes with it. */
  needsToken: boolean;
  maxRetries: number;
}

/** Sends requests with a token and a key, and retries them. */
export class Wire {
  readonly #options: ClientOptions;
  readonly #baseUrl: string;
  readonly #backoff: Backoff;
  readonly tokens: Tokens;

  /** @throws {PaymentsError} if `baseUrl` is not a URL, or there are no credentials. */
  constructor(options: ClientOptions) {
    this.#options = options;
    this.#baseUrl = readBaseUrl(options.baseUrl);
    this.#backoff = { ...standardBackoff, ...options.backoff };
    this.tokens = this.#createTokens(options);
  }

  /** Returns the answer of a success. @throws {ProblemError} @throws {ConnectionError} @throws {TokenError} */
  async send<Body>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<Body>> {
    return toAnswer<Body>(await this.#open(method, path, options, false));
  }

  /** Returns a success whose body is still to be read. @throws as `send` */
  openStream(method: string, path: string, options: RequestOptions = {}): Promise<AttemptAnswer> {
    return this.#open(method, path, options, true);
  }

  get backoff(): Backoff {
    return this.#backoff;
  }

  maxRetries({ maxRetries }: RequestOptions): number {
    return maxRetries ?? this.#options.maxRetries ?? 5;
  }

  async #open(
    method: string,
    path: string,
    options: RequestOptions,
    isStream: boolean,
  ): Promise<AttemptAnswer> {
    const prepared = this.#prepare(method, path, options, isStream);
    const { answer, meaning } = await this.#repeat(prepared);
    if (meaning === 'success' || answer.status < 400) return answer;
    const error = toProblemError(toAnswer(answer));
    if (meaning === 'answer') throw error;
    const says = `${method} ${path} got no answer at first, and 412 then: it may have had its effect`;
    throw new ConnectionError(says, { cause: error });
  }

  #prepare(method: string, path: string, options: RequestOptions, isStream: boolean): Prepared {
    const headers = buildHeaders(method, options);
    const { timeout = 60_000 } = this.#options;
    const url = this.#baseUrl + path + buildQuery(options.query);
    return {
      method,
      hasKey: headers.has('idempotency-key'),
      isConditional: headers.has('if-match'),
      needsToken: !headers.has('authorization'),
      maxRetries: this.maxRetries(options),
      attempt: {
        method,
        url,
        headers,
        body: buildBody(options.body),
        timeout: options.timeout ?? timeout,
        signal: options.signal,
        isStream,
      },
    };
  }

  /** @throws {ConnectionError} if the last attempt got no answer. */
  async #repeat(
    prepared: Prepared,
  ): Promise<{ answer: AttemptAnswer; meaning: ReturnType<typeof judgeAfterLoss> }> {
    let wasLost = false;
    for (let attempt = 0; ; attempt += 1) {
      let failure: unknown;
      const answer = await this.#attempt(prepared, attempt).catch((error: unknown) => {
        if (!(error instanceof ConnectionError)) throw error;
        failure = error;
        return null;
      });
      const wait = waitMs(this.#backoff, attempt, answer);
      if (attempt >= prepared.maxRetries || wait === null || !isWorthRepeating(answer, prepared)) {
        if (!answer) throw failure;
        return { answer, meaning: wasLost ? judgeAfterLoss(answer, prepared) : 'answer' };
      }
      wasLost ||= isLost(answer);
      await sleep(wait, prepared.attempt.signal);
    }
  }

  /** Sends once. If the token was refused, it takes another one and sends again, once. */
  async #attempt(prepared: Prepared, number: number): Promise<AttemptAnswer> {
    const attempt = { ...prepared.attempt, attempt: number };
    if (!prepared.needsToken) return attemptOnce({ ...attempt, token: null }, this.#options);
    const token = await this.tokens.current();
    const answer = await attemptOnce({ ...attempt, token }, this.#options);
    if (answer.status !== 401) return answer;
    this.tokens.refuse(token);
    const other = await this.tokens.current();
    return other === token ? answer : attemptOnce({ ...attempt, token: other }, this.#options);
  }

  #createTokens(options: ClientOptions): Tokens {
    if ('accessToken' in options) return givenTokens(options.accessToken);
    const { clientId, clientSecret, scope } = options;
    if (!clientId || !clientSecret)
      throw new PaymentsError('The client needs clientId and clientSecret, or an accessToken');
    const credentials = { clientId, clientSecret, ...(scope !== undefined && { scope }) };
    return grantedTokens(credentials, async (form, headers) => {
      const prepared = this.#prepare('POST', '/oauth2/token', { headers, idempotencyKey: null }, false);
      // Two tokens do no harm.
      const repeatable = { ...prepared, hasKey: true, attempt: { ...prepared.attempt, body: form } };
      return (await this.#repeat(repeatable)).answer;
    });
  }
}

function toAnswer<Body>({ status, headers, text, body }: AttemptAnswer): Answer<Body> {
  return { status, headers, text, body: body as Body };
}

function readBaseUrl(baseUrl: string): string {
  const isUrl = URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol);
  if (!isUrl) throw new PaymentsError('baseUrl must be an http or https URL, such as http://127.0.0.1:3000');
  return baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl;
}

function buildHeaders(method: string, options: RequestOptions): Headers {
  const { idempotencyKey = crypto.randomUUID(), apiVersion, ifMatch, body } = options;
  const headers = new Headers();
  if (body !== undefined) headers.set('content-type', contentTypes[method] ?? 'application/json');
  if (method === 'POST' && idempotencyKey !== null) headers.set('idempotency-key', idempotencyKey);
  if (apiVersion !== undefined) headers.set('api-version', apiVersion);
  if (ifMatch !== undefined) headers.set('if-match', ifMatch);
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  return headers;
}

const contentTypes: Record<string, string> = { PATCH: 'application/merge-patch+json' };

/** Members of an object become `name[member]`, as in `metadata[order]=6735`. An array is repeated. */
function buildQuery(query: object = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    if (typeof value !== 'object') search.set(name, String(value));
    else if (Array.isArray(value)) for (const each of value) search.append(name, String(each));
    else
      for (const [member, each] of Object.entries(value as object))
        search.set(`${name}[${member}]`, String(each));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function buildBody(body: unknown): string | undefined {
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
}
