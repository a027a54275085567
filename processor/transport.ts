import { Pool, type Dispatcher } from 'undici';
import { outgoingTrace } from '#telemetry/spans.ts';
import { ProcessorFault, type ProcessorFaultCode } from './port.ts';

export interface ProcessorRequest {
  method: 'GET' | 'POST';
  /** Below the processor's address, with its query. */
  path: string;
  /** Beside those of the transport. Names in lower case. */
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Bounds the whole exchange, connecting included. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

export interface ProcessorAnswer {
  status: number;
  /** Names in lower case. Of a repeated header only the first. */
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

/** The way to one processor. An adapter adds what the bytes mean. */
export interface Transport {
  /**
   * Sends one request, and never repeats it.
   *
   * @throws {ProcessorFault} and nothing else: `processor_unavailable` if no byte was written, `processor_timeout` if the
   *   answer was lost, `processor_invalid_response` if it is too long or not HTTP.
   */
  exchange(request: ProcessorRequest): Promise<ProcessorAnswer>;
  /** Waits for the calls under way, each of which is bounded. */
  close(): Promise<void>;
}

export interface TransportSettings {
  url: string;
  /** Of each request. Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** An answer longer than this cannot be one of the processor's. (Default: 64 KiB) */
  maxAnswerBytes?: number;
}

/** Of a connection that is not made: the clock of the exchange ends its request before. */
const connectTimeoutMs = 4_000;

/**
 * Follows one request, to know whether it could have had an effect when it fails: undici calls
 * `onRequestStart` right before it writes to a connection that stands. This is also what makes a kept-alive
 * connection that broke unnoticed a `processor_timeout` and not a `processor_unavailable`.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<ProcessorAnswer>;
  readonly #maxBytes: number;
  #resolve!: (answer: ProcessorAnswer) => void;
  #reject!: (fault: ProcessorFault) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #over = false;
  #status = 0;
  #headers: ProcessorAnswer['headers'] = {};
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Given up while it waited for a connection: nothing must be written any more.
    if (this.#over) return controller.abort(new Error('given up before it was sent'));
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    this.#headers = readHeaders(headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    if (this.#size > this.#maxBytes) {
      this.#fail('processor_invalid_response', `an answer of more than ${this.#maxBytes} bytes`);
    }
  }

  onResponseEnd(): void {
    if (this.#over) return;
    this.#over = true;
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#resolve({ status: this.#status, headers: this.#headers, body: bytes.toString('utf8') });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (error.name === 'HTTPParserError') return this.#fail('processor_invalid_response', 'not HTTP', error);
    this.lose(error.message, error);
  }

  /** No answer will be used: unknown when the request may have been read, else without effect. */
  lose(message: string, cause?: Error): void {
    this.#fail(this.#controller ? 'processor_timeout' : 'processor_unavailable', message, cause);
  }

  #fail(code: ProcessorFaultCode, message: string, cause?: Error): void {
    if (this.#over) return;
    this.#over = true;
    this.#reject(new ProcessorFault(code, `The processor gave no usable answer: ${message}`, { cause }));
    this.#controller?.abort(new Error(message));
  }
}

function readHeaders(headers: Record<string, string | string[] | undefined>): ProcessorAnswer['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}

/** Keep-alive connections to one processor; every exchange ends within its time. */
export function createTransport(settings: TransportSettings): Transport {
  const { origin, pathname } = new URL(settings.url);
  const base = pathname.replace(/\/$/, '');
  // The exchange's own clock bounds the whole call; undici's would bound its parts, a second apart.
  const pool = new Pool(origin, {
    connections: 256,
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: connectTimeoutMs,
  });

  return {
    async exchange({ method, path, headers, body = null, timeoutMs, signal }) {
      const exchange = new Exchange(settings.maxAnswerBytes ?? 64 * 1024);
      if (signal?.aborted) exchange.lose('the caller had given up');
      const onAbort = () => exchange.lose('the caller gave up');
      const timer = setTimeout(() => exchange.lose(`none within ${timeoutMs} ms`), timeoutMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        const sent = { ...settings.headers, ...headers, ...outgoingTrace() };
        if (!signal?.aborted) pool.dispatch({ method, path: base + path, headers: sent, body }, exchange);
        return await exchange.answer;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      }
    },
    close: () => pool.close(),
  };
}
