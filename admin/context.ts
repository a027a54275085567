import { parseSecretsKeys, type SecretsKeys } from '#db/encryption.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { withSecretFiles } from '#startup/settings/secret-files.ts';
import { serviceSecrets } from '#startup/settings/service.ts';
import { createDatabase } from '#db/knex.ts';
import { AdminError, type Context } from './command.ts';

/**
 * Opens what commands work on: the database that `DATABASE_URL` names, or else that of the local stack.
 *
 * @throws {AdminError} if there is neither.
 */
export function openContext(given: NodeJS.ProcessEnv): Context {
  const { env, faults } = withSecretFiles(given, serviceSecrets);
  for (const { name, message } of faults) throw new AdminError(`${name}: ${message}.`);
  const localDir = env['LOCAL_DIR'] || '.local';
  const local = env['DATABASE_URL'] ? {} : readLocalStack(localDir);
  const url = env['DATABASE_URL'] || local['DATABASE_URL'];
  if (!url) {
    throw new AdminError(
      `There is no database to work on: set DATABASE_URL, or start the local stack with \`npm start\` (none runs in ${localDir}).`,
    );
  }
  // The command reports a failure, once.
  const silent = { warn: () => undefined, error: () => undefined };
  return {
    db: createDatabase(url, 2, silent),
    isLoopback: isLoopback(env['PUBLIC_URL'] || url),
    allowsPlainHttp: env['ALLOW_PLAIN_HTTP'] === '1',
    publicUrl: env['PUBLIC_URL'] || null,
    consoleUrl: (env['CONSOLE_URL'] || local['CONSOLE_URL'])?.replace(/\/$/, '') || null,
    readStandardInput: () => text(process.stdin),
    onProgress: (line) => void process.stderr.write(`${line}\n`),
    secretsKey: () => readSecretsKey(env['SECRETS_KEY'] || local['SECRETS_KEY']),
  };
}

const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', '::1', 'localhost', '']);

function isLoopback(url: string): boolean {
  return !URL.canParse(url) || loopbackHosts.has(new URL(url).hostname);
}

function readSecretsKey(text: string | undefined): SecretsKeys {
  const keys = parseSecretsKeys(text ?? '');
  if (keys) return keys;
  throw new AdminError(
    'Set SECRETS_KEY to the one that the API runs with: 32 bytes in base64, or several with ids.',
  );
}

/** Returns the settings of the local stack that runs in `localDir`, from the files that it wrote there. */
export function readLocalStack(localDir: string): NodeJS.ProcessEnv {
  const running = readJson(join(localDir, 'run.json'));
  const secrets = readJson(join(localDir, 'secrets.json'));
  return {
    CONSOLE_URL: running['console'],
    DATABASE_URL: running['database_url'],
    TEMPORAL_ADDRESS: running['temporal_address'],
    PROCESSOR_URL: running['processor'],
    PROCESSOR_SECRET: secrets['processorSecret'],
    SECRETS_KEY: secrets['secretsKey'],
  };
}

function readJson(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}
