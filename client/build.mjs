/*
 * Compiles the package into `dist`. npm runs it before it packs the folder, and when it installs the repository. It
 * does nothing where there is nothing to compile: an image installs packages before it has the sources, and without
 * those for development.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const isOwnInstall =
  ['ci', 'install'].includes(process.env.npm_command) && at('..') === `${process.env.INIT_CWD}/`;

function findCompiler() {
  try {
    return createRequire(import.meta.url).resolve('typescript/lib/tsc.js');
  } catch {
    return null;
  }
}

/** Written aside and renamed, so that nobody who packs the folder at the same time finds half of it. */
function compile(compiler) {
  if (spawnSync(process.execPath, [at('schema.mjs')], { stdio: 'inherit' }).status !== 0)
    return isOwnInstall ? 0 : 1;
  const draft = at(`dist.${process.pid}`);
  const args = [compiler, '-p', at('tsconfig.json'), '--outDir', draft];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status === 0) {
    const document = JSON.parse(readFileSync(at('../openapi.json'), 'utf8'));
    // The command finds the operations in the document.
    writeFileSync(`${draft}/openapi.json`, JSON.stringify(document));
    rmSync(at('dist'), { recursive: true, force: true });
    renameSync(draft, at('dist'));
  }
  rmSync(draft, { recursive: true, force: true });
  // A developer can install packages even while the sources do not compile.
  return isOwnInstall ? 0 : (status ?? 1);
}

/** The time of the last change of these files and all in these folders, in milliseconds. */
function newest(paths) {
  const files = paths.flatMap((path) => {
    if (!existsSync(at(path))) return [];
    const isFolder = statSync(at(path)).isDirectory();
    return isFolder
      ? readdirSync(at(path), { recursive: true, encoding: 'utf8' }).map((name) => at(`${path}/${name}`))
      : at(path);
  });
  return Math.max(0, ...files.map((file) => statSync(file).mtimeMs));
}

const isCurrent = newest(['dist']) > newest(['src', 'cli', '../openapi.json']);
const compiler = findCompiler();
if (existsSync(at('src/index.ts')) && !isCurrent) {
  if (compiler) process.exitCode = compile(compiler);
  else if (['pack', 'publish'].includes(process.env.npm_command)) {
    console.error('The client cannot be compiled: run `npm ci` in the repository first.');
    process.exitCode = 1;
  }
}
