import { readFileSync } from 'node:fs';
import type { Fault } from '../tls-files.ts';

export interface ReadFiles {
  /** The environment with what the files hold; no `NAME_FILE` is left in it. */
  env: NodeJS.ProcessEnv;
  /** Settings that cannot be used. */
  faults: Fault[];
}

/**
 * Reads secrets from files, as Docker and Kubernetes mount them: the environment is inherited by every child, and shown
 * in descriptions of the process. The line end after a secret is not part of it.
 *
 * @param names the settings that may be in files, whose paths `NAME_FILE` names.
 */
export function withSecretFiles(given: NodeJS.ProcessEnv, names: readonly string[]): ReadFiles {
  const env = { ...given };
  const faults: ReadFiles['faults'] = [];
  for (const name of names) {
    const file = env[`${name}_FILE`];
    delete env[`${name}_FILE`];
    if (!file) continue;
    if (env[name])
      faults.push({ name: `${name}_FILE`, message: `and ${name} are two places for one secret` });
    else env[name] = readSecret(`${name}_FILE`, file, faults);
  }
  return { env, faults };
}

function readSecret(name: string, file: string, faults: ReadFiles['faults']): string {
  try {
    const secret = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    if (secret === '') faults.push({ name, message: `${file} is empty` });
    return secret;
  } catch (error) {
    // The code alone: what is in the file is not for a log.
    faults.push({ name, message: `${file} cannot be read (${(error as NodeJS.ErrnoException).code})` });
    return '';
  }
}
