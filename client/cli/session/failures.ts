import { ConnectionError, DownloadError, ProblemError, TokenError } from '../../src/index.ts';
import { CliError } from '../exits.ts';
import { toPrintable } from '../output.ts';

/** Messages for a missing answer, a missing token, and a refusal. */

/** A write that may have had its effect. */
export interface LostWrite {
  method: string;
  key: string;
  /** The advice for its sender. (Default: repeat the command with its key) */
  ifLost?: string | undefined;
}

/** An answer, whatever its status. */
export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
  /** The body as it came. */
  text: string;
  /** The write that it answers; `null` for a read. */
  sent: LostWrite | null;
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
  const hint = lost ? sayUnknown(lost) : 'Is the service running there?';
  throw new CliError('noAnswer', `${reason} ${hint}`, { cause: error });
}

/** Says how to find out what a write did. */
function sayUnknown({ method, key, ifLost }: LostWrite): string {
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

interface ProblemBody {
  code: string;
  detail?: string;
  title?: string;
  trace_id?: string;
  decline_code?: string;
  advice?: string;
  charge?: string;
  errors?: { pointer: string; detail: string }[];
}

/** Codes after which a write may have had its effect. */
const unknownCodes = ['outcome_unknown', 'idempotency_key_in_progress', 'internal_error'];

/** Ends the command with what the service said. @throws {CliError} always */
export function refuse({ status, body, sent }: Answer): never {
  const problem = readProblem(body);
  const sentence = problem
    ? sayProblem(status, problem)
    : `The service answered ${status}, and not in the way of this API. Is the address right?`;
  if (status === 401) {
    const hint = 'Run `payments login` again, or look with `payments doctor`';
    throw new CliError('notSignedIn', `${sentence}\n${hint}`);
  }
  const isUnknown = sent && (unknownCodes.includes(problem?.code ?? '') || [500, 502, 504].includes(status));
  if (isUnknown) throw new CliError('noAnswer', `${sentence}\n${sayUnknown(sent)}`);
  throw new CliError('refused', sentence);
}

function sayProblem(status: number, problem: ProblemBody): string {
  const { decline_code: code, advice } = problem;
  const decline = code ? ` (${advice ? `${code}, ${advice}` : code})` : '';
  return [
    `${status} ${problem.code}${decline}: ${problem.detail ?? problem.title ?? ''}`,
    ...(problem.errors ?? []).map(({ pointer, detail }) => `  ${sayPointer(pointer)}: ${detail}`),
    ...(problem.charge ? [`  The charge is ${problem.charge}`] : []),
    ...(problem.trace_id ? [`  The request is ${problem.trace_id} in the logs of the service`] : []),
  ]
    .map(toPrintable)
    .join('\n');
}

/** `/filter/created` is the flag `--filter-created`. */
function sayPointer(pointer: string): string {
  return pointer === '' ? 'the body' : `--${pointer.slice(1).replaceAll(/[/_]/g, '-')}`;
}

/** Returns the problem of an answer, or the error of the issuer; `null` if another server answered. */
function readProblem(body: unknown): ProblemBody | null {
  if (typeof body !== 'object' || body === null) return null;
  if ('code' in body) return body as ProblemBody;
  const { error, error_description: detail } = body as { error?: unknown; error_description?: string };
  return typeof error === 'string' ? { code: error, ...(detail !== undefined && { detail }) } : null;
}
