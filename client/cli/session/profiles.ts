import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Context, GlobalOptions } from '../context.ts';
import { wrongUse } from '../exits.ts';
import { writeDurably } from './files.ts';

/** The credentials that `payments login` keeps, by the name of their profile. */
export interface Profile {
  /** Where the service is, without a slash at the end. */
  url: string;
  clientId: string;
  clientSecret: string;
  /** Signs what `payments listen` forwards. */
  webhookSecret: string;
}

type Place = Pick<Context, 'env' | 'platform' | 'homeDir'>;

/** Returns the folder of settings: XDG's, or that of the system. */
export function configFolder({ env, platform, homeDir }: Place): string {
  if (env['XDG_CONFIG_HOME']) return join(env['XDG_CONFIG_HOME'], 'payments');
  if (platform === 'win32' && env['APPDATA']) return join(env['APPDATA'], 'payments');
  if (platform === 'darwin') return join(homeDir, 'Library/Application Support/payments');
  return join(homeDir, '.config/payments');
}

/** Returns the folder of what the command remembers between its runs. */
export function stateFolder({ env, platform, homeDir }: Place): string {
  if (env['XDG_STATE_HOME']) return join(env['XDG_STATE_HOME'], 'payments');
  if (platform === 'win32' || platform === 'darwin')
    return join(configFolder({ env: { ...env, XDG_CONFIG_HOME: undefined }, platform, homeDir }), 'state');
  return join(homeDir, '.local/state/payments');
}

/** Returns the path of the file with the credentials. */
export function credentialsFile(place: Place): string {
  return join(configFolder(place), 'credentials.json');
}

/** Returns the name of the profile that a command uses. */
export function nameProfile({ env }: Pick<Context, 'env'>, { profile }: GlobalOptions): string {
  return profile ?? env['PAYMENTS_PROFILE'] ?? 'default';
}

/** Returns all profiles; none if nobody has signed in. @throws {CliError} if the file is not one of ours. */
export function readProfiles(place: Place): Record<string, Profile> {
  const file = credentialsFile(place);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw wrongUse(`The credentials in ${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    const { profiles } = JSON.parse(text) as { profiles: Record<string, Profile> };
    if (Object.values(profiles).every(isProfile)) return profiles;
  } catch {
    // Reported below.
  }
  throw wrongUse(`${file} does not hold credentials. Delete it, and run \`payments login\` again`);
}

function isProfile(value: unknown): boolean {
  const { url, clientId, clientSecret, webhookSecret } = (value ?? {}) as Partial<Profile>;
  return [url, clientId, clientSecret, webhookSecret].every((text) => typeof text === 'string');
}

/** Keeps the profiles for this user alone (mode 600), durably. */
export function writeProfiles(place: Place, profiles: Record<string, Profile>): void {
  const file = credentialsFile(place);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeDurably(file, `${JSON.stringify({ profiles }, null, 2)}\n`);
  chmodSync(file, 0o600);
}

/** Returns whether other users of the machine could read the credentials. Windows has no such modes. */
export function isExposed(place: Place): boolean {
  if (place.platform === 'win32') return false;
  try {
    return (statSync(credentialsFile(place)).mode & 0o077) !== 0;
  } catch {
    return false;
  }
}
