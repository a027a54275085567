import { fileURLToPath } from 'node:url';
import { installPython } from '../support/stack/outside/python-programs.ts';

const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));

/** @returns the program, installed now if it is not there yet. */
export function installSchemathesis(log: (line: string) => void): Promise<string> {
  return installPython({ name: 'schemathesis', requirements }, log);
}
