import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmdirSync, statfsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Rig } from './rig.ts';

/** The disk that the database's files are on, which can be made too small. */
export interface FullDisk {
  /** Leaves `freeBytes`, more or less. */
  fill(freeBytes: number): void;
  empty(): void;
  remove(): void;
}

/** What the database may write besides what it began with; memory is taken for what it does write. */
const roomMiB = 3_072;

/**
 * Moves the database's files to a file system of its own, in memory. `null`: this process may not mount one, or
 * the system has none; the reason is logged.
 */
export async function stageFullDisk(rig: Rig, log: (line: string) => void): Promise<FullDisk | null> {
  const dataDir = join(rig.env.stack.localDir, 'postgres');
  const disk = `${dataDir}-disk`;
  const mount = (options: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk], { stdio: 'pipe' });
  mkdirSync(disk);
  try {
    if (process.platform !== 'linux') throw new Error('there is no tmpfs on this system');
    mount(`size=${roomMiB}m,mode=755`);
  } catch (error) {
    rmdirSync(disk);
    log(
      `a full disk cannot be staged, so it is left out: ${(error as Error).message.trim().split('\n').at(-1)}`,
    );
    return null;
  }
  const forgive = rig.excuse('postgres');
  await rig.kill('postgres', 'SIGINT');
  execFileSync('cp', ['-a', dataDir, join(disk, 'data')]);
  renameSync(dataDir, `${dataDir}-before`);
  symlinkSync(join(disk, 'data'), dataDir);
  await rig.start('postgres');
  forgive();
  return {
    fill(freeBytes) {
      const { blocks, bfree, bsize } = statfsSync(disk);
      mount(`remount,size=${Math.ceil(((blocks - bfree) * bsize + freeBytes) / 4_096) * 4}k`);
    },
    empty: () => void mount(`remount,size=${roomMiB}m`),
    remove: () => void execFileSync('umount', ['-l', disk]),
  };
}
