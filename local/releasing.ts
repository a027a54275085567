import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes a release of a clean checkout: its version, its changelog, its commit and its tag. It pushes nothing. */

/** What stands against a release; the message says what to do. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
}

export interface Release {
  /** Where the checkout is. */
  root: string;
  /** `1.2.3` */
  version: string;
  /** `2026-11-23`, for the changelog. */
  date: string;
  /** Runs all that must hold before a release, and throws if it does not. */
  verify: () => void;
}

const manifests = ['package.json', 'client/package.json'];
const pythonProject = 'client/python/pyproject.toml';

/**
 * Gives the checkout its version, then commits and tags it. The next release is compared with the tag.
 *
 * @returns the name of the tag.
 * @throws {ReleaseError} before anything is changed.
 */
export function makeRelease({ root, version, date, verify }: Release): string {
  const tag = `v${version}`;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const read = (file: string) => readFileSync(join(root, file), 'utf8');

  if (git('status', '--porcelain') !== '')
    throw new ReleaseError('the checkout has changes: commit them, or put them aside');
  if (git('tag', '--list', tag) !== '') throw new ReleaseError(`the tag ${tag} is there already`);
  const current = (JSON.parse(read('package.json')) as { version: string }).version;
  if (!isAbove(version, current)) throw new ReleaseError(`${version} is not a version above ${current}`);
  const changelog = nameChanges(read('CHANGELOG.md'), `${version} (${date})`);
  verify();

  const write = (file: string, text: string) => writeFileSync(join(root, file), text);
  write('CHANGELOG.md', changelog);
  for (const file of manifests) write(file, withVersion(read(file), version));
  write('package-lock.json', lockedAt(read('package-lock.json'), version));
  write(pythonProject, read(pythonProject).replace(/^version = ".*"$/m, `version = "${version}"`));
  git('add', '--all');
  git('commit', '--quiet', '--message', `Release ${version}`);
  git('tag', '--annotate', tag, '--message', `Release ${version}`);
  return tag;
}

/** Whether `version` is semantic (2.0.0, without a suffix) and comes after `current`. */
function isAbove(version: string, current: string): boolean {
  if (!/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(version)) return false;
  const [ours, theirs] = [version, current].map((one) => one.split('.').map(Number));
  const place = [0, 1, 2].find((at) => ours![at] !== theirs![at]);
  return place !== undefined && ours![place]! > theirs![place]!;
}

/** Gives what is unreleased its title, below an empty section for what comes next. */
function nameChanges(changelog: string, title: string): string {
  const [, changes = ''] = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changelog) ?? [];
  if (!/^[-*] /m.test(changes)) throw new ReleaseError('CHANGELOG.md has nothing under "## Unreleased"');
  return changelog.replace(/^## Unreleased\n/m, `## Unreleased\n\n## ${title}\n`);
}

const withVersion = (manifest: string, version: string) =>
  manifest.replace(/^( {2}"version": )".*"/m, `$1"${version}"`);

/** The lock file names the version of the product twice, and that of the client once. */
function lockedAt(lock: string, version: string): string {
  const content = JSON.parse(lock) as { version: string; packages: Record<string, { version: string }> };
  content.version = version;
  for (const path of ['', 'client']) content.packages[path]!.version = version;
  return `${JSON.stringify(content, null, 2)}\n`;
}
