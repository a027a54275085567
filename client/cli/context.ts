import type { Readable, Writable } from 'node:stream';

/** The parts of its process that the command uses. `main.ts` alone reads them from there. */
export interface Context {
  env: Readonly<Record<string, string | undefined>>;
  platform: string;
  homeDir: string;
  stdin: Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean };
  /** Ends what is under way: aborted by Ctrl-C and SIGTERM. */
  signal: AbortSignal;
}

/** The options that every command takes, before or after its name. */
export interface GlobalOptions {
  json?: true;
  profile?: string;
  /** The address of the service, instead of the profile's. */
  server?: string;
  /** Attempts after the first. */
  maxRetries?: number;
}
