import { readFileSync } from 'node:fs';
import type { ProcessorRecord } from '#db/access/processors.ts';
import { findKind, processorKinds } from '#processor/known-kinds.ts';
import {
  ProcessorFault,
  ProcessorKeyError,
  type ProcessorKind,
  type ProcessorMode,
  type ProcessorSettings,
} from '#processor/port.ts';
import { AdminError, UsageError, type Context, type Input } from './command.ts';
import * as values from './values.ts';

/** The keys of processors: which ones are taken, and by whom. */

/** The names of all kinds, for people. */
export const kinds = processorKinds.map(({ kind }) => kind).join(', ');

/** Requires that a new key is of the right mode, and that the processor takes it. */
export async function checkNewKey(
  kind: ProcessorKind,
  settings: ProcessorSettings,
  { options }: Input,
  { isLoopback }: Context,
): Promise<{ externalAccount: string; mode: ProcessorMode }> {
  const { mode } = orRefuse(() => kind.readKey(settings.key));
  const isSaidTwice = options['live'] === true && options['live-on-loopback'] === true;
  if (mode === 'live' && isLoopback && !isSaidTwice) {
    throw new AdminError(
      'This is a live key, and this stack runs on this machine alone. Use a test key, or say --live --live-on-loopback.',
    );
  }
  if (mode === 'live' && options['live'] !== true)
    throw new AdminError('This is a live key: it moves real money. Say --live to use it.');
  return askForAccount(kind, settings);
}

/** @throws {AdminError} */
export async function askForAccount(
  kind: ProcessorKind,
  settings: ProcessorSettings,
): Promise<{ externalAccount: string; mode: ProcessorMode }> {
  try {
    return await kind.checkKey(settings);
  } catch (error) {
    if (error instanceof ProcessorKeyError) throw new AdminError(`${error.message}.`);
    if (error instanceof ProcessorFault)
      throw new AdminError(`The processor could not be asked: ${error.message}.`);
    throw error;
  }
}

export function requireSameAccount(
  { externalAccount, mode }: ProcessorRecord,
  found: { externalAccount: string; mode: ProcessorMode },
): void {
  if (found.mode !== mode)
    throw new AdminError(`The key is a ${found.mode} one, and the processor is ${mode}.`);
  if (found.externalAccount === externalAccount) return;
  throw new AdminError(
    `The key belongs to ${found.externalAccount}, and the processor to ${externalAccount}.`,
  );
}

function orRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProcessorKeyError) throw new AdminError(`${error.message}.`);
    throw error;
  }
}

export function requireKind(name: string | undefined): ProcessorKind {
  const kind = name === undefined ? null : findKind(name);
  if (kind) return kind;
  throw new UsageError(
    name === undefined ? '--kind is missing.' : `There is no kind ${name}; there are: ${kinds}.`,
  );
}

export function readSecretFile(input: Input, option: string): string {
  const file = values.text(input, option);
  if (file === undefined) throw new UsageError(`--${option} is missing.`);
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text !== '') return text;
  } catch (error) {
    throw new AdminError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  throw new AdminError(`${file} is empty.`);
}
