import { execFile } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installPython } from './python-programs.ts';

/** A language that `docs/webhooks.md` has a receiver in, and how one runs it. */
export interface ReceiverLanguage {
  name: string;
  /** What its block of code is marked with. */
  block: string;
  /**
   * Fetches what the receiver needs beside this tree, once.
   *
   * @throws {Error} why it cannot be had here.
   */
  fetch(): Promise<void>;
  /** Puts the code into the folder, which lies in this tree, and returns the command line that runs it. */
  build(folder: string, code: string): Promise<[program: string, ...args: string[]]>;
}

/** The versions of the library: what the page's readers get, at the time of writing. */
const pinned = fileURLToPath(new URL('webhook-receivers', import.meta.url));

const log = (line: string) => console.log(`    ${line}`);

const typescript: ReceiverLanguage = {
  name: 'TypeScript',
  block: 'ts',
  fetch: () => Promise.resolve(),
  build(folder, code) {
    const file = join(folder, 'receiver.ts');
    writeFileSync(file, code);
    return Promise.resolve([process.execPath, '--import', 'tsx', file]);
  },
};

const installed = () =>
  installPython(
    { name: 'standardwebhooks', program: 'python', requirements: join(pinned, 'requirements.txt') },
    log,
  );

const python: ReceiverLanguage = {
  name: 'Python',
  block: 'python',
  fetch: async () => void (await installed()),
  async build(folder, code) {
    const file = join(folder, 'receiver.py');
    writeFileSync(file, code);
    return [await installed(), file];
  },
};

const go: ReceiverLanguage = {
  name: 'Go',
  block: 'go',
  async fetch() {
    await promisify(execFile)('go', ['mod', 'download'], { cwd: pinned });
  },
  async build(folder, code) {
    for (const name of ['go.mod', 'go.sum']) copyFileSync(join(pinned, name), join(folder, name));
    writeFileSync(join(folder, 'main.go'), code);
    await promisify(execFile)('go', ['build', '-o', 'receiver', '.'], { cwd: folder });
    return [join(folder, 'receiver')];
  },
};

export const receiverLanguages: readonly ReceiverLanguage[] = [typescript, python, go];
