import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unprivilegedUser } from '#local/postgres/postgres-files.ts';
import { freePort } from '#local/processes/ports.ts';

const page = fileURLToPath(new URL('../../../../docs/runbooks/database-is-restored.md', import.meta.url));

/** The blocks of code of the runbook, in their order. */
export interface Runbook {
  settings: string;
  backUp: string;
  restore: string;
  /** The commands of this repository: `npm run …`. */
  commands: string[];
}

/** Reads the runbook, so that what the test runs is what the page says. */
export function readRunbook(): Runbook {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/```(\w+)\n([\s\S]*?)```/g)];
  const [settings, backUp, restore, ...rest] = blocks.map(([, , text = '']) => text);
  if (settings === undefined || backUp === undefined || restore === undefined)
    throw new Error(`${page} lacks its commands`);
  return { settings, backUp, restore, commands: rest.map((text) => text.trim()) };
}

/** A PostgreSQL that archives its log, of the system's packages, in a folder of its own. */
export interface ArchivedPostgres {
  url: string;
  /** Takes the base backup, as the runbook says. */
  backUp(): void;
  /** Kills all of it, as a loss of power does. */
  kill(): void;
  /** Restores to a time on another port, as the runbook says. Returns the URL. */
  restore(to: string): string;
  stop(): void;
}

const programs = ['initdb', 'postgres', 'pg_basebackup', 'pg_ctl', 'psql'];

/** Returns the folder of a PostgreSQL with `pg_basebackup`, or `null` if none is installed. */
export function findBackupPrograms(): string | null {
  const home = '/usr/lib/postgresql';
  const versions = existsSync(home) ? readdirSync(home).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(home, version, 'bin'));
  return folders.find((bin) => programs.every((program) => existsSync(join(bin, program)))) ?? null;
}

/** Starts one in `folder`, which must be new. */
export async function startArchived(bin: string, folder: string, book: Runbook): Promise<ArchivedPostgres> {
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  const [port, restoredPort] = [await freePort(), await freePort()];
  chmodSync(folder, 0o755);
  const own = join(folder, 'postgres');
  for (const path of [own, join(own, 'archive'), join(own, 'backups')]) {
    mkdirSync(path);
    if (user) chownSync(path, user.uid, user.gid);
  }
  const url = `postgres://postgres@127.0.0.1:${port}/payments`;
  const inFolder = (text: string) =>
    text.replaceAll(/(?<=[\s'"=])\/(backups|archive|restored|lost)\b/g, `${own}/$1`);
  const run = (script: string, env: Record<string, string> = {}) => {
    const environment = { PATH: `${bin}:${process.env['PATH']}`, LC_ALL: 'C', DATABASE_URL: url, ...env };
    // A server keeps the pipes of the command that started it, so each command writes to a file.
    const logged = `exec >>run.log 2>&1\n${inFolder(script)}`;
    const { status } = spawnSync('/bin/bash', ['-euc', logged], {
      cwd: own,
      stdio: 'ignore',
      ...user,
      env: environment,
    });
    if (status !== 0)
      throw new Error(`${script}\n${execFileSync('tail', ['-n', '30', join(own, 'run.log')]).toString()}`);
  };
  run('initdb -D lost -U postgres --auth=trust -E UTF8 --locale=C --no-sync');
  appendFileSync(
    join(own, 'lost/postgresql.conf'),
    `${inFolder(book.settings)}\nunix_socket_directories = ''\nfsync = off\n`,
  );
  run(`pg_ctl -D lost -l lost.log -w -o "-p ${port}" start`);
  run(`psql -q -d "postgres://postgres@127.0.0.1:${port}/postgres" -c "create database payments"`);
  const stop = (name: string) =>
    void (
      existsSync(join(own, name, 'postmaster.pid')) && run(`pg_ctl -D ${name} -m immediate stop || true`)
    );
  return {
    url,
    backUp: () => run(book.backUp),
    kill: () => run('pg_ctl -D lost -m immediate stop'),
    restore(to) {
      const restored = url.replace(`:${port}/`, `:${restoredPort}/`);
      run(book.restore, { RESTORE_TO: to, RESTORED_PORT: String(restoredPort), RESTORED_URL: restored });
      return restored;
    },
    stop() {
      stop('lost');
      stop('restored');
    },
  };
}
