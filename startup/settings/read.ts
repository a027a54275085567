import type { Fault } from '../tls-files.ts';
import { withSecretFiles } from './secret-files.ts';
import { isSetting, listSecrets, type Setting, type Table, type Values } from './setting.ts';

/** Settings that cannot be used; the message names every fault, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** What settings must be to each other; the fault names one of them. */
export interface Rule<T extends Table> {
  name: string;
  holds(values: Values<T>): boolean;
  message: string;
}

/**
 * Reads the settings of a table from an environment and the files that it names.
 *
 * @param check finds further faults in the texts of the settings.
 * @throws {ConfigError} that names every fault.
 */
export function readSettings<T extends Table>(
  env: NodeJS.ProcessEnv,
  table: T,
  rules: readonly Rule<T>[],
  check?: (given: NodeJS.ProcessEnv, faults: Fault[]) => void,
): Values<T> {
  const { env: complete, faults: inFiles } = withSecretFiles(env, listSecrets(table));
  // An empty variable is an unset one: compose files and shells write `X=` for "not set".
  const given = Object.fromEntries(Object.entries(complete).filter(([, value]) => value !== ''));
  const faults: Fault[] = [];
  const values = readValues(table, given, faults);
  if (faults.length === 0) faults.push(...rules.filter((rule) => !rule.holds(values)));
  const unread = new Set(inFiles.map(({ name }) => name.replace(/_FILE$/, '')));
  const all = [...faults.filter(({ name }) => !unread.has(name)), ...inFiles];
  check?.(given, all);
  if (all.length === 0) return values;
  const lines = all.map(({ name, message }) => `  ${name}: ${message}`);
  throw new ConfigError(
    `The environment cannot be used (docs/settings.md lists the settings):\n${lines.join('\n')}`,
  );
}

function readValues<T extends Table>(table: T, given: NodeJS.ProcessEnv, faults: Fault[]): Values<T> {
  const values = Object.entries(table).map(([key, entry]) => [
    key,
    isSetting(entry) ? readValue(entry, given[entry.name], faults) : readValues(entry, given, faults),
  ]);
  return Object.fromEntries(values) as Values<T>;
}

function readValue(
  { name, kind, fallback }: Setting<unknown>,
  value: string | undefined,
  faults: Fault[],
): unknown {
  if (value === undefined) {
    if (fallback === null) faults.push({ name, message: 'is required' });
    return fallback?.value;
  }
  const parsed = kind.safeParse(value);
  if (parsed.success) return parsed.data;
  faults.push(...parsed.error.issues.map(({ message }) => ({ name, message })));
  return undefined;
}
