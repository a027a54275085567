import { ConnectionError, DownloadError, ProblemError, TokenError } from '../../src/index.ts';
import { CliError } from '../exits.ts';

/** What is said when there is no answer, or no token. */

/** What was sent, and may have had its effect. */
export interface LostWrite {
  method: string;
  key: string;
  /** What to do. (Default: repeat the command with its key) */
  ifLost?: string | undefined;
}

/** Says why there is no answer, and what to do. @throws {CliError}, or the error if it is none of these */
export function explainFailure(
  error: unknown,
  { url }: { url: string },
  lost: LostWrite | null = null,
): never {
  if (error instanceof TokenError) throw explainToken(error, url);
  if (error instanceof DownloadError || error instanceof ProblemError)
    throw new CliError('refused', error.message);
  const isConnection = error instanceof ConnectionError;
  const isStopped = error instanceof DOMException && error.name === 'AbortError';
  if (!isConnection && !isStopped) throw error;
  const reason = isStopped ? 'The command was stopped.' : `No answer came from ${url}: ${readCause(error)}.`;
  throw new CliError(
    'noAnswer',
    [reason, lost ? sayUnknown(lost) : `Is the service running there?`].join(' '),
    {
      cause: error,
    },
  );
}

/** Says how to find out what a write did. */
export function sayUnknown({ method, key, ifLost }: LostWrite): string {
  if (ifLost !== undefined) return `It is not known whether the request had its effect. ${ifLost}`;
  return method === 'POST'
    ? `It is not known whether the request had its effect. Run the same command again with --idempotency-key ${key}: it cannot happen twice`
    : 'It is not known whether the request had its effect. Read the resource, and run the command again if it did not';
}

function explainToken(error: TokenError, url: string): CliError {
  if (error.code === 'invalid_client')
    return new CliError(
      'notSignedIn',
      `The service at ${url} does not know this client id and secret. Run \`payments login\` again`,
    );
  return new CliError(error.status >= 500 ? 'refused' : 'notSignedIn', error.message);
}

/** Returns the innermost reason: fetch wraps that of the network. */
function readCause(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  const { code, message } = reason as NodeJS.ErrnoException;
  return code ? `${code} ${message}`.trim() : message;
}
