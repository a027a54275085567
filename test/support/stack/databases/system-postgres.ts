import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A PostgreSQL of the system's packages: unlike the one that npm installed, it has `pg_dump` and `psql`. */
export interface SystemPostgres {
  /** The folder with its `bin/`. */
  native: string;
  /** @returns the dump of a database as SQL, as `pg_dump` writes it. */
  dump(url: string): string;
  /** Runs a dump in a database that is empty. */
  restore(url: string, dump: string): void;
}

const home = '/usr/lib/postgresql';
const programs = ['initdb', 'postgres', 'pg_dump', 'psql'];

/** @throws an error that says how to get one. */
export function findSystemPostgres(): SystemPostgres {
  const versions = existsSync(home) ? readdirSync(home).toSorted((a, b) => Number(b) - Number(a)) : [];
  const native = versions
    .map((version) => join(home, version))
    .find((folder) => programs.every((program) => existsSync(join(folder, 'bin', program))));
  if (native === undefined) {
    throw new Error(
      'There is no PostgreSQL with pg_dump here, to dump and restore with: `apt-get install postgresql`',
    );
  }
  const run = (program: string, args: string[], input?: string) =>
    execFileSync(join(native, 'bin', program), args, {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['pipe', 'pipe', 'inherit'],
      ...(input !== undefined && { input }),
    });
  return {
    native,
    dump: (url) => run('pg_dump', ['--no-owner', url]),
    restore: (url, dump) =>
      void run('psql', ['--quiet', '--output=/dev/null', '--set=ON_ERROR_STOP=1', url], dump),
  };
}
