import { createTransport, type ProcessorAnswer, type Transport } from '../transport.ts';

/** Keep-alive connections to the sandbox at `url`. */
export function openSandboxTransport({ url, secret }: { url: string; secret: string }): Transport {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  return createTransport({ url, headers });
}

/** Sends one request of JSON, in the time of every call. */
export type Channel = (
  method: 'GET' | 'POST',
  path: string,
  body: string | null,
  signal: AbortSignal | undefined,
) => Promise<ProcessorAnswer>;

export function openChannel(transport: Transport, timeoutMs: number): Channel {
  return (method, path, body, signal) =>
    transport.exchange({ method, path, timeoutMs, signal, ...(body !== null && { body }) });
}
