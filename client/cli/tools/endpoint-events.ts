import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { CliError } from '../exits.ts';
import { refuse } from '../operations/answers.ts';
import type { Connection } from '../session/connection.ts';
import { waitForEvent } from './event-search.ts';

const ifLost = 'What it made stays; run the command again to make another';

/**
 * Causes an event that needs an endpoint: a receiver is opened on this machine, registered, tested and deleted. The
 * service must reach this machine, as that of `npm start` does.
 *
 * @returns the id of what the event is about: the endpoint
 */
export async function causeEndpointEvent(
  context: Context,
  connection: Connection,
  type: 'endpoint.test' | 'webhook_endpoint.disabled',
): Promise<string> {
  // 410 says that the receiver is gone for ever: the service disables it.
  const receiver = await openReceiver(type === 'endpoint.test' ? 204 : 410);
  try {
    const endpoint = await send(connection, 'POST', '/v1/webhook-endpoints', {
      url: receiver.url,
      events: ['endpoint.test'],
      description: 'Made by payments trigger',
    });
    try {
      await send(connection, 'POST', `/v1/webhook-endpoints/${endpoint.id}:test`, {});
      if (type === 'endpoint.test') await waitForEvent(context, connection, type, endpoint.id);
      else await untilDisabled(context, connection, endpoint.id);
    } finally {
      await connection.request('DELETE', `/v1/webhook-endpoints/${endpoint.id}`);
    }
    return endpoint.id;
  } finally {
    receiver.close();
  }
}

/** Answers everything with this status, on a free port of this machine. */
async function openReceiver(status: number): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function send(
  connection: Connection,
  method: 'POST',
  path: string,
  body: object,
): Promise<{ id: string }> {
  const key = crypto.randomUUID();
  const answer = await connection.request(method, path, {
    body,
    headers: { 'Content-Type': 'application/json' },
    idempotencyKey: key,
    ifLost,
  });
  const code = (answer.body as { code?: string } | null)?.code ?? '';
  if (['https_required', 'address_refused'].includes(code))
    throw new CliError(
      'refused',
      'The service does not send to this machine. This event can be triggered only where it may: with npm start',
    );
  if (answer.status >= 400) refuse(answer, { method, key, ifLost });
  return answer.body as { id: string };
}

async function untilDisabled({ signal }: Context, connection: Connection, id: string): Promise<void> {
  for (let looks = 0; looks < 150; looks += 1) {
    const { body } = await connection.request('GET', `/v1/webhook-endpoints/${id}`);
    if ((body as { status?: string }).status === 'disabled') return;
    await sleep(200, undefined, { signal });
  }
  throw new CliError('refused', `The endpoint ${id} was not disabled within 30 s`);
}
