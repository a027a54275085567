import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { openSandbox } from './sandbox.ts';
import { createProcessorServer } from './server.ts';
import { readSettings, type Settings } from './settings.ts';

function listen(server: Server, settings: Settings): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Ends the process once, at the first of several signals. */
function createStop(...parts: { stop(): Promise<void> }[]): () => void {
  let isStopping = false;
  async function stopAll(): Promise<void> {
    for (const part of parts) await part.stop();
  }
  return () => {
    if (isStopping) return;
    isStopping = true;
    stopAll().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
}

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const sandbox = openSandbox(settings);
  const service = createProcessorServer(sandbox, settings.secret, settings.stripe);
  const port = await listen(service.server, settings);
  const onStop = createStop(service, sandbox);
  process.on('SIGTERM', onStop);
  process.on('SIGINT', onStop);
  // The launcher is gone: an orphan would keep the store open.
  process.on('disconnect', onStop);
  process.send?.({ ready: true, port });
}

main().catch((error: unknown) => {
  console.error(
    `The sandbox processor cannot start: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exit(1);
});
