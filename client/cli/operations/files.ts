import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Context } from '../context.ts';
import { wrongUse } from '../exits.ts';
import { toPrintable } from '../output.ts';
import type { Connection } from '../session/connection.ts';

/**
 * Writes the result of an operation to a file, or to standard output. A file appears under its name once it is whole
 * and its SHA-256 is right.
 */
export async function saveResult(
  { stdout }: Pick<Context, 'stdout'>,
  connection: Connection,
  id: string,
  file: string | undefined,
): Promise<void> {
  if (file === undefined)
    return write(stdout.isTTY ? printable(connection.download(id)) : connection.download(id), stdout);
  const draft = `${file}.part`;
  const target = createWriteStream(draft);
  const failed = new Promise<never>((_resolve, reject) => target.once('error', reject));
  try {
    await Promise.race([save(connection.download(id), target), failed]);
    renameSync(draft, file);
  } catch (error) {
    target.destroy();
    rmSync(draft, { force: true });
    if (error instanceof Error && 'syscall' in error)
      throw wrongUse(`--output: the file cannot be written: ${error.message}`);
    throw error;
  }
}

async function save(chunks: AsyncIterable<Uint8Array>, target: Writable): Promise<void> {
  await write(chunks, target);
  target.end();
  await finished(target);
}

/** No faster than the target takes it. */
async function write(chunks: AsyncIterable<Uint8Array | string>, target: Writable): Promise<void> {
  for await (const chunk of chunks) if (!target.write(chunk)) await once(target, 'drain');
}

/** What buyers and merchants wrote into a file must not move the cursor of a terminal. */
async function* printable(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks)
    yield decoder.decode(chunk, { stream: true }).split('\n').map(toPrintable).join('\n');
}
