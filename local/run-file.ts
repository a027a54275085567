import { renameSync, writeFileSync } from 'node:fs';
import type { DemoClient } from './secrets.ts';
import type { Stack } from './stack.ts';

const demo = ({ account, clientId, clientSecret }: DemoClient) => ({
  account,
  client_id: clientId,
  client_secret: clientSecret,
});

/**
 * Writes the addresses of the stack for programs. A part that is down has no pid. Only the owner can read the file, since
 * it holds secrets.
 */
export function writeRunFile(file: string, stack: Stack): void {
  const content = {
    api: stack.apiUrl,
    docs: `${stack.apiUrl}/docs`,
    console: stack.consoleUrl,
    temporal_ui: stack.temporalUi,
    temporal_address: stack.temporalAddress,
    database_url: stack.databaseUrl,
    processor: stack.processorUrl,
    demo: demo(stack.secrets.demo),
    other: demo(stack.secrets.other),
    pids: {
      launcher: process.pid,
      api: stack.pid('api'),
      console: stack.pid('console'),
      worker: stack.pid('worker'),
      processor: stack.pid('processor'),
      temporal: stack.pid('temporal'),
      postgres: stack.pid('postgres'),
    },
  };
  // A reader never sees half of it.
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
