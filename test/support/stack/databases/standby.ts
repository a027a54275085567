import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unprivilegedUser } from '#local/postgres/postgres-files.ts';
import { freePort } from '#local/processes/ports.ts';

const page = fileURLToPath(new URL('../../../../docs/runbooks/standby-is-promoted.md', import.meta.url));

/** The blocks of code of the runbook, in their order. */
export function readStandbyRunbook() {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/```\w+\n([\s\S]*?)```/g)].map(
    ([, text = '']) => text,
  );
  const [settings, follow, promote, askTime, record] = blocks;
  if (!settings || !follow || !promote || !askTime || !record) throw new Error(`${page} lacks its commands`);
  return { settings, follow, promote, askTime, record: record.trim() };
}

type Runbook = ReturnType<typeof readStandbyRunbook>;

/** A PostgreSQL of the system's packages: a primary, or a standby that may become one. */
export interface Server {
  url: string;
  port: number;
  /** Runs one statement, and returns its first value. */
  ask(sql: string): string;
  /** Adds settings, and has them read. */
  set(settings: string): void;
  /** Makes a standby named `standby` that follows this one, by another port if one is given. */
  follow(port?: number): Promise<Server>;
  promote(): void;
  /** The time of the last commit that it had when it was promoted, as the runbook asks for it. */
  askTime(): string;
  /** Kills all of it, as a loss of power does. */
  kill(): void;
}

/** Servers in `folder`, which must be new. */
export class Servers {
  readonly #bin: string;
  readonly #folder: string;
  readonly #book: Runbook;
  readonly #user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  readonly #started: Server[] = [];

  constructor(bin: string, folder: string, book: Runbook) {
    this.#bin = bin;
    this.#folder = folder;
    this.#book = book;
    chmodSync(folder, 0o755);
  }

  async startPrimary(): Promise<Server> {
    const own = this.#makeFolder();
    this.#run(own, 'initdb -D standby -U postgres --auth=trust -E UTF8 --locale=C --no-sync');
    const config = join(own, 'standby/postgresql.conf');
    appendFileSync(config, `unix_socket_directories = ''\nfsync = off\n`);
    const server = await this.#start(own);
    this.#run(
      own,
      `psql -q -d "${server.url.replace(/payments$/, 'postgres')}" -c "create database payments"`,
    );
    return server;
  }

  stop(): void {
    for (const server of this.#started) server.kill();
  }

  /** @param by the port by which the log comes; a proxy of this process could not pass the base backup on. */
  async #follow(port: number, by: number): Promise<Server> {
    const own = this.#makeFolder();
    const address = (at: number) => `host=127.0.0.1 port=${at} user=postgres application_name=standby`;
    this.#run(own, this.#book.follow, { PRIMARY_CONNINFO: address(port) });
    appendFileSync(join(own, 'standby/postgresql.auto.conf'), `primary_conninfo = '${address(by)}'\n`);
    return this.#start(own);
  }

  async #start(own: string): Promise<Server> {
    const port = await freePort();
    const url = `postgres://postgres@127.0.0.1:${port}/payments`;
    this.#run(own, `pg_ctl -D standby -l log -w -o "-p ${port}" start`);
    const ask = (sql: string) =>
      execFileSync(join(this.#bin, 'psql'), ['-d', url, '-At', '-c', sql], { encoding: 'utf8' }).trim();
    const server: Server = {
      url,
      port,
      ask,
      set: (settings) => {
        appendFileSync(join(own, 'standby/postgresql.conf'), settings);
        this.#run(own, 'pg_ctl -D standby reload');
      },
      follow: (by = port) => this.#follow(port, by),
      promote: () => this.#run(own, this.#book.promote),
      askTime: () => this.#run(own, this.#book.askTime, { STANDBY_URL: url }),
      kill: () =>
        void (
          existsSync(join(own, 'standby/postmaster.pid')) &&
          this.#run(own, 'pg_ctl -D standby -m immediate stop || true')
        ),
    };
    this.#started.push(server);
    return server;
  }

  #makeFolder(): string {
    const own = join(this.#folder, `postgres-${this.#started.length}`);
    mkdirSync(own);
    if (this.#user) chownSync(own, this.#user.uid, this.#user.gid);
    return own;
  }

  /** Returns what it says. A server keeps the pipes of the command that started it, so each command writes to a file. */
  #run(own: string, script: string, env: Record<string, string> = {}): string {
    const text = script.replaceAll(/(?<=[\s'"=])\/standby\b/g, `${own}/standby`);
    const { status } = spawnSync('/bin/bash', ['-euc', `exec >run.log 2>&1\n${text}`], {
      cwd: own,
      stdio: 'ignore',
      ...this.#user,
      env: { PATH: `${this.#bin}:${process.env['PATH']}`, LC_ALL: 'C', ...env },
    });
    const said = readFileSync(join(own, 'run.log'), 'utf8').trim();
    if (status !== 0) throw new Error(`${script}\n${said}`);
    return said;
  }
}
