import { parseSecretsKeys, type SecretsKeys } from '#db/encryption.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withSecretFiles } from '#startup/secret-files.ts';
import { createDatabase } from '#db/knex.ts';
import { AdminError, type Context } from './command.ts';

/**
 * Where commands work: the database that `DATABASE_URL` names, as in a deployment, else that of the local
 * stack, which writes down where it is.
 *
 * @throws {AdminError} when there is neither.
 */
export function openContext(given: NodeJS.ProcessEnv): Context {
  const { env, faults } = withSecretFiles(given);
  for (const { name, message } of faults) throw new AdminError(`${name}: ${message}.`);
  const localDir = env['LOCAL_DIR'] || '.local';
  const isLocal = !env['DATABASE_URL'];
  const url = env['DATABASE_URL'] || findLocalDatabase(localDir);
  // What fails is told by the command, once.
  const silent = { warn: () => undefined, error: () => undefined };
  return {
    db: createDatabase(url, 2, silent),
    onProgress: (line) => void process.stderr.write(`${line}\n`),
    secretsKey: () =>
      readSecretsKey(env['SECRETS_KEY'] || (isLocal ? findLocalSecretsKey(localDir) : undefined)),
  };
}

function findLocalDatabase(localDir: string): string {
  const { database_url: url } = (readJson(join(localDir, 'run.json')) ?? {}) as { database_url?: string };
  if (url) return url;
  throw new AdminError(
    `There is no database to work on: set DATABASE_URL, or start the local stack with \`npm start\` (none runs in ${localDir}).`,
  );
}

function findLocalSecretsKey(localDir: string): string | undefined {
  return (readJson(join(localDir, 'secrets.json')) as { secretsKey?: string } | null)?.secretsKey;
}

function readSecretsKey(text: string | undefined): SecretsKeys {
  const keys = parseSecretsKeys(text ?? '');
  if (keys) return keys;
  throw new AdminError(
    'Set SECRETS_KEY to the one that the API runs with: 32 bytes in base64, or several with ids.',
  );
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
