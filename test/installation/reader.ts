import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { toPattern, type Block } from './page-blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Follows a page from an empty folder: saves its files, runs its commands, and compares what they print. */
export class Reader {
  readonly #home = mkdtempSync(join(tmpdir(), 'quickstart-'));
  readonly #folder = join(this.#home, 'shop');
  readonly #env: NodeJS.ProcessEnv;
  readonly #background: ChildProcess[] = [];
  #printed = '';
  #printedBehind = '';

  /** @param env the settings that the page asks for. */
  constructor(env: NodeJS.ProcessEnv) {
    this.#env = { ...process.env, ...env };
    mkdirSync(this.#folder);
    // The page calls the repository so.
    symlinkSync(root, join(this.#home, 'payments-api'));
  }

  /** Does what a block says. */
  async follow({ language, mark, text }: Block): Promise<void> {
    if (mark === 'no-test') return;
    if (language === 'sh') return mark === 'background' ? this.#start(text) : this.#run(text);
    if (language === 'text') return this.#expect(mark, text);
    this.#save(mark, text);
  }

  #save(file: string, text: string): void {
    mkdirSync(dirname(join(this.#folder, file)), { recursive: true });
    writeFileSync(join(this.#folder, file), text);
  }

  async #run(text: string): Promise<void> {
    const child = this.#spawn(text);
    let printed = '';
    let complaints = '';
    child.stdout?.on('data', (bytes: Buffer) => (printed += bytes.toString()));
    child.stderr?.on('data', (bytes: Buffer) => (complaints += bytes.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 0, `${text}\n${printed}\n${complaints}`);
    this.#printed = printed;
    this.#paste(printed);
  }

  /** Keeps the settings that a command sets or prints, as a person who pastes the lines. */
  #paste(printed: string): void {
    for (const [, name = '', value = ''] of printed.matchAll(/^export (\w+)=(.+)$/gm))
      this.#env[name] = value;
  }

  #start(text: string): Promise<void> {
    const child = this.#spawn(`exec ${text.trim()}`);
    child.stdout?.on('data', (bytes: Buffer) => (this.#printedBehind += bytes.toString()));
    child.stderr?.on('data', (bytes: Buffer) => (this.#printedBehind += bytes.toString()));
    this.#background.push(child);
    return Promise.resolve();
  }

  #spawn(text: string): ChildProcess {
    // Variables that the page exports are printed, so that the next command has them.
    const script = `${text}\n${/^export (\w+)=/m.test(text) ? 'export -p | grep "x TOKEN=" | sed -E \'s/^declare -x //; s/"//g; s/^/export /\'' : ''}`;
    return spawn('bash', ['-e', '-c', script], {
      cwd: this.#folder,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
  }

  async #expect(mark: string, text: string): Promise<void> {
    const pattern = toPattern(text);
    if (mark !== 'background') return assert.match(this.#printed.trim(), pattern);
    const seen = () => this.#printedBehind;
    await eventually(`the page's program prints ${text}`, () => Promise.resolve(pattern.test(seen()))).catch(
      () => assert.match(seen(), pattern),
    );
  }

  /** Ends what runs behind, and removes the folder. */
  end(): void {
    for (const { pid } of this.#background) {
      try {
        // With the programs that it has started.
        if (pid !== undefined) process.kill(-pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    rmSync(this.#home, { recursive: true, force: true });
  }
}
