import { pino, type DestinationStream, type Logger } from 'pino';
import { maskCardNumbers } from '#domain/cards/card-numbers.ts';

/** Members whose text is cut from a line, at any depth, should one get there by mistake. */
const secretMembers = [
  'authorization',
  'cookie',
  'access_token',
  'refresh_token',
  'client_secret',
  'client_assertion',
  'secret',
  'token',
  'password',
];

/** Redacts the finished line: pino's own redaction by so many paths costs more than all the rest of a read. */
// oxlint-disable-next-line patterns/linear -- its parts begin with a quote, and end at the next one
const secretMember = new RegExp(`"(${secretMembers.join('|')})":"(?:[^"\\\\]|\\\\.)*"`, 'gi');

/** Makes a log of JSON lines without secrets and card numbers. Each line names the kind of its process. */
export function createLogger(
  part: 'api' | 'worker' | 'console',
  level: string,
  destination?: DestinationStream,
): Logger {
  const options = {
    level,
    base: { part },
    serializers: { err: describeError },
    hooks: {
      streamWrite: (line: string) => maskCardNumbers(line.replace(secretMember, '"$1":"[Redacted]"')),
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * Writes the warnings of Node and of packages as lines of the log, and not beside it as bare text: one that a
 * package gives of the version of Node that it runs on, say.
 */
export function logWarnings(log: Logger): void {
  // Node's own warnings, which it writes to stderr.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'process warning'));
}

/** Postgres puts values of the row into `detail` and `where`: they stay out. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    stack: error.stack,
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}
