import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LauncherError, isAlive, startedAt } from '../processes/processes.ts';

const releaseTries = 12;
const releaseWaitMs = 250;

interface Owner {
  pid: number;
  started: string | undefined;
}

function read(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner;
  } catch {
    return undefined;
  }
}

/** The file of a killed process names an id that is gone, or that another process has now. */
const isLive = (owner: Owner | undefined): owner is Owner =>
  owner !== undefined && isAlive(owner.pid) && startedAt(owner.pid) === owner.started;

/**
 * Makes this process the only one that uses `folder` while it lives, and records that in `file`. Returns a function that
 * releases the folder.
 *
 * @throws {LauncherError} when a living process has it.
 */
export function takeOwnership(folder: string, file: string): () => void {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, JSON.stringify({ pid: process.pid, started: startedAt(process.pid) } satisfies Owner));
  try {
    for (;;) {
      if (tryLink(mine, file)) return () => rmSync(file, { force: true });
      const owner = read(file);
      if (isLive(owner)) throw new LauncherError(refusal(folder, owner.pid));
      removeStale(file, owner, mine);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

const refusal = (folder: string, pid: number) =>
  `${folder} is in use by process ${pid}: stop that one first, or give this one a folder of its own with LOCAL_DIR`;

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a stale file. Two processes may find the same one: a process that moved a fresh file puts it back. */
function removeStale(file: string, stale: Owner | undefined, mine: string): void {
  const aside = `${mine}.stale`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const moved = read(aside);
  if (moved?.pid !== stale?.pid || moved?.started !== stale?.started) tryLink(aside, file);
  rmSync(aside, { force: true });
}

/** Takes the folder as soon as another launcher, which is stopping, releases it. */
export async function takeFolder(localDir: string, log: (line: string) => void): Promise<() => void> {
  for (let left = releaseTries; ; left--) {
    try {
      return takeOwnership(localDir, join(localDir, 'owner'));
    } catch (error) {
      if (left === 0 || !(error instanceof LauncherError)) throw error;
      if (left === releaseTries) log(`Waiting for another process to release ${localDir}`);
      await sleep(releaseWaitMs);
    }
  }
}
