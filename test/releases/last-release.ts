import { execFileSync } from 'node:child_process';

/** What `npm run release` names its commit (`local/releasing.ts`). */
const isRelease = /^Release \d+\.\d+\.\d+$/;

/**
 * Returns the revision of the last release that HEAD descends from: its tag, or its commit where a clone has no tags.
 * Returns `null` if there is none, also outside a repository of git.
 */
export function findLastRelease(root: string): string | null {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*');
  } catch {
    // No such tag is here.
  }
  try {
    const commits = git('log', '--grep', '^Release [0-9]', '--format=%H %s');
    return (
      commits
        .split('\n')
        .find((line) => isRelease.test(line.slice(41)))
        ?.slice(0, 40) ?? null
    );
  } catch {
    return null;
  }
}
