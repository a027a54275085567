import type { SecretsKeys } from '#db/encryption.ts';
import type { Database } from '#db/knex.ts';

/** One thing that an operator can have done; the help is made from the same value. */
export interface Command {
  /** `client rotate-secret` */
  name: string;
  /** What follows the name, `CLIENT` say; all of it is needed unless it stands in brackets. */
  operands?: readonly string[];
  summary: string;
  options?: Record<string, Option>;
  run(input: Input, context: Context): Promise<Report>;
}

export interface Option {
  /** What stands behind it, `DURATION` say. (Default: nothing, it is a flag) */
  value?: string;
  help: string;
}

/** What was typed behind the name. */
export interface Input {
  /** As many as the command names; an empty string for one that is in brackets and missing. */
  operands: string[];
  options: Record<string, string | true | undefined>;
}

/** What commands work on. */
export interface Context {
  db: Database;
  /** @throws {AdminError} when it is nowhere to be had. */
  secretsKey(): SecretsKeys;
  /** Tells how far a long command is. */
  onProgress(line: string): void;
}

/** What a command has to say, for people and for programs (`--json`). */
export interface Report {
  text: string;
  json: object;
}

/** Cannot be done; the message says what to do instead. */
export class AdminError extends Error {
  override readonly name: string = 'AdminError';
}

/** Was typed in a way that cannot be understood. */
export class UsageError extends AdminError {
  override readonly name = 'UsageError';
}
