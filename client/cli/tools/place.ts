import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { wrongUse } from '../exits.ts';
import { writeDurably } from '../session/durable-file.ts';
import { stateFolder } from '../session/profiles.ts';

/** What a place belongs to: another service, client or target has a place of its own. */
export interface Listener {
  url: string;
  clientId: string;
  /** `null`: events are shown only. */
  forwardTo: string | null;
}

/** How far a listener has come: the `sequence` of the last event that its target answered. */
export interface Place {
  file: string;
  /** `null`: it listens for the first time. */
  read(): number | null;
  write(sequence: number): void;
}

/** Returns the place of a listener, on disk. */
export function openPlace(context: Context, listener: Listener): Place {
  const { url, clientId, forwardTo } = listener;
  const name = createHash('sha256')
    .update(JSON.stringify([url, clientId, forwardTo]))
    .digest('hex');
  const folder = join(stateFolder(context), 'listen');
  const file = join(folder, `${name.slice(0, 16)}.json`);
  return {
    file,
    read: () => readPlace(file),
    write(sequence) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeDurably(
        file,
        `${JSON.stringify({ url, client_id: clientId, forward_to: forwardTo, sequence })}\n`,
      );
    },
  };
}

function readPlace(file: string): number | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw wrongUse(`The place in ${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    const { sequence } = JSON.parse(text) as { sequence: unknown };
    if (Number.isSafeInteger(sequence) && Number(sequence) >= 0) return Number(sequence);
  } catch {
    // Told below.
  }
  throw wrongUse(`${file} does not hold a place. Say where to begin: --after SEQUENCE`);
}
