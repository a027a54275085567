import { pino, type DestinationStream, type Logger } from 'pino';
import { maskCardNumbers } from './card-numbers.ts';

/** Members that are cut from a line wherever a caller of the logger puts them by mistake. */
const secretMembers = [
  'authorization',
  'cookie',
  'access_token',
  'client_secret',
  'client_assertion',
  'secret',
  'token',
  'password',
  'body',
];

/** JSON lines, in which no secret and no card number stands. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { part: 'api' },
    redact: secretMembers.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
    serializers: { err: describeError },
    hooks: { streamWrite: maskCardNumbers },
  };
  return destination ? pino(options, destination) : pino(options);
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
