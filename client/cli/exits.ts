/** The exit codes. Scripts branch on them, so a number never changes its meaning. */
export const exitCodes = {
  done: 0,
  /** The service refused the request, or failed. */
  refused: 1,
  /** The command was used wrongly: nothing was sent. */
  usage: 2,
  /** There are no credentials, or the service does not take them. */
  notSignedIn: 3,
  /** No answer came. A write may have had its effect: repeat it with the key that was printed. */
  noAnswer: 4,
} as const;

export type ExitName = keyof typeof exitCodes;

/** Ends the command with a sentence for the person who typed it. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exit: ExitName;

  constructor(exit: ExitName, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exit = exit;
  }
}

/** Wrong use: nothing was sent. The sentence says what to type instead. */
export function wrongUse(message: string): CliError {
  return new CliError('usage', message);
}
