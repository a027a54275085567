import type { SecretsKeys } from '#db/encryption.ts';
import type { Database } from '#db/knex.ts';

/** One command of an operator; the help is made from the same value. */
export interface Command {
  /** `client rotate-secret` */
  name: string;
  /** The operands after the name, such as `CLIENT`. One in brackets may be left out. */
  operands?: readonly string[];
  summary: string;
  /** It changes nothing, so the audit has no entry of it. (Default: it changes something, in one transaction) */
  isRead?: boolean;
  /** It changes things in many transactions: its entry of the audit is committed first, and completed at the end. */
  takesLong?: boolean;
  options?: Record<string, Option>;
  run(input: Input, context: Context): Promise<Report>;
}

export interface Option {
  /** The name of its value, such as `DURATION`. (Default: none, it is a flag) */
  value?: string;
  help: string;
}

/** The arguments after the name of the command. */
export interface Input {
  /** One for each operand of the command; an empty string for one that was left out. */
  operands: string[];
  options: Record<string, string | true | undefined>;
}

/** The database and the secrets that commands work on. */
export interface Context {
  db: Database;
  /** @throws {AdminError} when it is nowhere to be had. */
  secretsKey(): SecretsKeys;
  /** The stack runs on this machine alone, as far as its settings tell. */
  isLoopback: boolean;
  /** Plain http beyond this machine is taken. */
  allowsPlainHttp: boolean;
  /** The address of the API; `null`: no setting names it. */
  publicUrl: string | null;
  /** The address of the console, without a slash at its end; `null`: neither a setting nor a local stack names it. */
  consoleUrl: string | null;
  /** Returns all of the standard input: a secret that no argument may carry. */
  readStandardInput: () => Promise<string>;
  /** Prints the progress of a long command. */
  onProgress(line: string): void;
}

/** The result of a command, for people and for programs (`--json`). */
export interface Report {
  text: string;
  json: object;
}

/** The command cannot be done; the message says what to do instead. */
export class AdminError extends Error {
  override readonly name: string = 'AdminError';
}

/** The arguments cannot be understood. */
export class UsageError extends AdminError {
  override readonly name = 'UsageError';
}
