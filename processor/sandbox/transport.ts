import { Pool, type Dispatcher } from 'undici';
import { outgoingTrace } from '#telemetry/spans.ts';
import { ProcessorFault, type ProcessorFaultCode } from '../port.ts';

/** An answer longer than this cannot be one of the processor's. */
const maxAnswerBytes = 64 * 1024;

export interface ProcessorAnswer {
  status: number;
  body: string;
}

export interface Transport {
  /**
   * Sends one request, and never repeats it.
   *
   * @throws {ProcessorFault} and nothing else.
   */
  exchange(
    method: 'GET' | 'POST',
    path: string,
    body: string | null,
    signal: AbortSignal | undefined,
  ): Promise<ProcessorAnswer>;
  /** Waits for the calls under way, each of which is bounded. */
  close(): Promise<void>;
}

/**
 * Follows one request, to know whether it could have had an effect when it fails: undici calls
 * `onRequestStart` right before it writes to a connection that stands. This is also what makes a kept-alive
 * connection that broke unnoticed a `processor_timeout` and not a `processor_unavailable`.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<ProcessorAnswer>;
  #resolve!: (answer: ProcessorAnswer) => void;
  #reject!: (fault: ProcessorFault) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #over = false;
  #status = 0;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor() {
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

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    if (this.#size > maxAnswerBytes) {
      this.#fail('processor_invalid_response', `an answer of more than ${maxAnswerBytes} bytes`);
    }
  }

  onResponseEnd(): void {
    if (this.#over) return;
    this.#over = true;
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#resolve({ status: this.#status, body: bytes.toString('utf8') });
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

/** Keep-alive connections to one processor; every exchange ends within `timeoutMs`. */
export function createTransport(options: { url: string; secret: string; timeoutMs: number }): Transport {
  const { origin, pathname } = new URL(options.url);
  const base = pathname.replace(/\/$/, '');
  // The exchange's own clock bounds the whole call; undici's would bound its parts, a second apart.
  const pool = new Pool(origin, {
    connections: 256,
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: options.timeoutMs,
  });
  const headers = { authorization: `Bearer ${options.secret}`, 'content-type': 'application/json' };

  return {
    async exchange(method, path, body, signal) {
      const exchange = new Exchange();
      if (signal?.aborted) exchange.lose('the caller had given up');
      const onAbort = () => exchange.lose('the caller gave up');
      const timer = setTimeout(() => exchange.lose(`none within ${options.timeoutMs} ms`), options.timeoutMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        const sent = { ...headers, ...outgoingTrace() };
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
