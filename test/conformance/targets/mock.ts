import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { stripeVersion } from '#processor/stripe/client.ts';
import { createTransport, type ProcessorRequest } from '#processor/transport.ts';
import { eventually } from '../../support/eventually.ts';

const binary = fileURLToPath(new URL('../../../.local/bin/stripe-mock', import.meta.url));

/** Returns why stripe-mock cannot be asked; `null`: it is here. */
export function whyNoMock(): string | null {
  return existsSync(binary)
    ? null
    : 'stripe-mock is not in .local/bin (docs/processors.md says how to get it)';
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Sends requests to Stripe's own mock server, which knows the form of every request and refuses what does not have it.
 * Returns the refusals, a line each.
 */
export async function replayToMock(requests: readonly ProcessorRequest[]): Promise<string[]> {
  const [http, https] = [await freePort(), await freePort()];
  // Without the second address it would open one on every interface.
  const addresses = ['-http-addr', `127.0.0.1:${http}`, '-https-addr', `127.0.0.1:${https}`];
  const mock = spawn(binary, [...addresses, '-strict-version-check'], { stdio: 'ignore' });
  const headers = { authorization: 'Bearer sk_test_123', 'stripe-version': stripeVersion };
  const transport = createTransport({
    url: `http://127.0.0.1:${http}`,
    headers,
    maxAnswerBytes: 4 * 1024 * 1024,
  });
  const send = (request: ProcessorRequest) =>
    transport.exchange({ ...request, signal: undefined, timeoutMs: 5_000 });
  try {
    await eventually('stripe-mock answers', () =>
      send({ method: 'GET', path: '/v1/account', timeoutMs: 500 }),
    );
    const refusals: string[] = [];
    for (const request of requests) {
      const { status, body } = await send(request);
      if (status !== 200) refusals.push(`${request.method} ${request.path}: ${status} ${body.slice(0, 300)}`);
    }
    return refusals;
  } finally {
    mock.kill('SIGKILL');
    await transport.close();
  }
}
