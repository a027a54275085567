import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Context } from '../context.ts';
import { wrongUse } from '../exits.ts';

/** Asks the person at the terminal. `isHidden`: nothing of the answer is shown. */
export async function ask(context: Context, question: string, { isHidden = false } = {}): Promise<string> {
  const { stdin, stderr, signal } = context;
  stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: isHidden ? silent : stderr, terminal: isHidden });
  try {
    return (await reader.question('', { signal })).trim();
  } finally {
    reader.close();
    if (isHidden) stderr.write('\n');
  }
}

/** Returns the secret of a file, or of standard input (`-`): its first line. */
export async function readSecret(context: Context, file: string): Promise<string> {
  const content = file === '-' ? await text(context.stdin) : readSecretFile(file);
  const [line = ''] = content.split('\n');
  if (line.trim() === '') throw wrongUse('The client secret is empty. The first line of the file must be it');
  return line.trim();
}

function readSecretFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw wrongUse(`The client secret cannot be read: ${(error as Error).message}`);
  }
}
