import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { activityTypes, floors, folders, importGroup, outerRooms, rooms } from './lint/rooms.ts';
import { bundledWorkflows } from './support/bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('What the worker runs as workflows', () => {
  let modules: string[];
  before(async () => {
    const code = readFileSync((await bundledWorkflows()).codePath, 'utf8');
    modules = [...code.matchAll(/^\/\*\*\*\/ "([^"]+)"/gm)].map(([, name = '']) => name);
  });

  it('holds workflows, domain, and temporal without its client', () => {
    const own = modules.filter((name) => name.startsWith('./') && !name.startsWith('./node_modules/'));
    assert.ok(own.includes('./workflows/charges.ts'));
    assert.deepEqual(
      own.filter((name) => !/^\.\/(workflows\/|domain\/|temporal\/[^/]+$)/.test(name)),
      [],
    );
  });

  it('includes only packages the SDK needs, no Node modules', () => {
    const packages = modules.flatMap(
      (name) => /^\.\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? [],
    );
    const needed = ['@temporalio/common', '@temporalio/workflow', 'long', 'ms', 'nexus-rpc'];
    assert.deepEqual([...new Set(packages)].toSorted(), needed);
    assert.deepEqual(
      modules.filter((name) => name.includes('node:')),
      [],
    );
  });
});

describe('The rooms', () => {
  const dirsOfRoot = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^\.|^(node_modules|docs)$/.test(entry.name))
    .map(({ name }) => name);
  const files = dirsOfRoot.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/(^|\/)(node_modules|dist)\//.test(name))
      .map((name) => `${folder}/${name}`),
  );
  const toRoom = (file: string) => (file.startsWith('temporal/client/') ? 'temporal/client' : dirs(file)[0]!);
  const dirs = (file: string) => file.split('/').slice(0, -1);
  const imports = files.flatMap((file) =>
    readImports(readFileSync(join(root, file), 'utf8')).map(({ path, isType }) => ({
      file,
      isType,
      isRelative: path.startsWith('.'),
      to: path.startsWith('#') ? path.slice(1) : join(dirname(file), path),
    })),
  );

  it('are all in the table, with every file', () => {
    assert.ok(imports.length > 2_000);
    const known = [...Object.keys(rooms), ...outerRooms];
    assert.deepEqual(
      files.filter((file) => !known.includes(toRoom(file))),
      [],
    );
  });

  it('import what the table allows, types and re-exports included', () => {
    const wrong = imports.filter(({ file, to, isType }) => {
      const [from, other] = [toRoom(file), toRoom(to)];
      if (from === other || outerRooms.includes(from))
        return ['bench', 'test'].includes(other) && from === 'local';
      if (isType && file === activityTypes.file && other === activityTypes.room) return false;
      return !rooms[from]!.imports.some((allowed) => allowed === other || allowed === to);
    });
    assert.deepEqual(
      wrong.map(({ file, to }) => `${file} imports ${to}`),
      [],
    );
  });

  it('stand on nine floors, and import downwards only', () => {
    const plan = floors.map(({ room, beside }) => [room, ...beside]);
    assert.deepEqual([plan.length, plan.flat().toSorted()], [9, Object.keys(rooms).toSorted()]);
    const findFloor = (file: string) => plan.findIndex((floor) => floor.includes(toRoom(file)));
    const inside = imports.filter(({ file }) => !outerRooms.includes(toRoom(file)));
    assert.ok(inside.length > 1_000);
    const upwards = inside.filter(({ file, to }) => findFloor(file) > findFloor(to));
    assert.deepEqual(
      upwards.map(({ file, to }) => `${file} imports ${to}`),
      [],
    );
  });

  it('are left by no relative import', () => {
    const wrong = imports.filter(
      ({ file, to, isRelative }) =>
        isRelative && dirs(file)[0] !== dirs(to)[0] && !['bench', 'test'].includes(dirs(to)[0]!),
    );
    assert.deepEqual(
      wrong.map(({ file, to }) => `${file} imports ${to}`),
      [],
    );
  });

  it('have folders that import one way', () => {
    const wrong = imports.filter(({ file, to }) => {
      const order = folders[toRoom(file)];
      const [from, other] = [dirs(file)[1] ?? '.', dirs(to)[1] ?? '.'];
      if (!order || toRoom(to) !== toRoom(file) || from === other || from === '.') return false;
      return !order[from]?.includes(other);
    });
    assert.deepEqual(
      wrong.map(({ file, to }) => `${file} imports ${to}`),
      [],
    );
  });

  it('have folders of 3 to 25 files', () => {
    const counts = new Map<string, number>();
    for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    counts.delete('db/migrations');
    // Folders of tests mirror the rooms, and may hold less.
    const isSmall = (folder: string) => folder.includes('/') && !/^(test|bench)\//.test(folder);
    const wrong = [...counts].filter(([folder, count]) => count > 25 || (count < 3 && isSmall(folder)));
    assert.deepEqual(wrong, []);
  });

  it('have the same table in the linter configuration', () => {
    const { overrides } = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')) as LintConfig;
    for (const name of Object.keys(rooms)) {
      const files = name === 'temporal' ? 'temporal/*.ts' : `${name}/**`;
      const groups = overrides
        .filter((override) => override.files.includes(files))
        .flatMap(({ rules }) => rules['no-restricted-imports']?.[1].patterns ?? []);
      assert.deepEqual(groups[0]?.group, importGroup(name), name);
    }
  });
});

/** What of `.oxlintrc.json` is looked at here. */
interface LintConfig {
  overrides: {
    files: string[];
    rules: { 'no-restricted-imports'?: [string, { patterns: { group: string[] }[] }] };
  }[];
}

/** The paths of our own files that a module imports or exports again. */
function readImports(text: string): { path: string; isType: boolean }[] {
  const found = text.matchAll(
    /^(?:import|export)(\s+type)?\s[^;'"]*?from\s+'((?:\.{1,2}\/|#)[^']+)'|\bimport\(\s*'((?:\.{1,2}\/|#)[^']+)'/gm,
  );
  return [...found].map(([, type, path, dynamic]) => ({
    path: path ?? dynamic ?? '',
    isType: type !== undefined,
  }));
}

describe('The linter', () => {
  /** A room, and a line that may not stand in it. */
  const breaches: [room: string, line: string][] = [
    ...Object.keys(rooms)
      .filter((room) => room !== 'client')
      .map((room): [string, string] => [room, `import { startStack } from '#local/stack.ts';`]),
    ['domain', `import { prepared } from '#db/knex.ts';`],
    ['domain', `import { createHash } from 'node:crypto';`],
    ['db', `import { defineWrite } from '#api/writes/write.ts';`],
    ['workflows', `import { createActivities } from '#activities/index.ts';`],
    ['workflows', `import type { Activities } from '#activities/index.ts';`],
    ['workflows', `import { findRun } from '#temporal/client/runs.ts';`],
    ['workflows', `import { readConfig } from '#startup/config.ts';`],
    ['workflows', `import { randomUUID } from 'node:crypto';`],
    ['workflows', `import { z } from 'zod';`],
    ['workflows', `export const home = process.cwd();`],
    ['temporal', `import { findRun } from '#temporal/client/runs.ts';`],
    ['activities', `import { defineWrite } from '#api/writes/write.ts';`],
    ['activities/below', `import { defineWrite } from '#api/writes/write.ts';`],
    ['api', `import { charge } from '#workflows/charges.ts';`],
    ['api', `import { createActivities } from '#activities/index.ts';`],
    ['api', `export const home = process.env['HOME'];`],
    ['worker', `import { defineWrite } from '#api/writes/write.ts';`],
    ['webhooks', `import { defineWrite } from '#api/writes/write.ts';`],
    ['issuer', `import { readConfig } from '#startup/config.ts';`],
    ['processor', `import { prepared } from '#db/knex.ts';`],
    ['client', `import { problems } from '#domain/problems.ts';`],
    ['client', `import { z } from 'zod';`],
  ];
  const plantFile = (room: string, line: string) =>
    `${room}/breach-${breaches.findIndex((other) => other[0] === room && other[1] === line)}.ts`;
  const sound: [file: string, line: string][] = [
    ['workflows/proxies.ts', `import type { Activities } from '#activities/index.ts';`],
    ['workflows/sound.ts', `import { cancelSignal } from '#temporal/messages.ts';`],
    ['activities/sound.ts', `import { findRun } from '#temporal/client/runs.ts';`],
  ];

  let findings: string;
  before(() => {
    findings = lint([
      ...breaches.map(([room, line]): [string, string] => [plantFile(room, line), line]),
      ...sound,
    ]);
  });

  for (const [room, line] of breaches) {
    it(`refuses this line in ${room}/: ${line}`, () => {
      const found = findings.split('\n').filter((finding) => finding.includes(plantFile(room, line)));
      assert.match(found.join('\n'), /no-restricted-(imports|globals)|no-process-env/);
    });
  }

  for (const [file, line] of sound) {
    it(`accepts this line in ${file}: ${line}`, () => {
      const found = findings.split('\n').filter((finding) => finding.includes(file));
      assert.doesNotMatch(found.join('\n'), /restricted/);
    });
  }
});

describe('Times that are kept or compared', () => {
  it('come from the clock of Postgres, not the machine', () => {
    const watched = ['activities', 'api', 'db', 'issuer', 'webhooks', 'worker'];
    const files = watched.flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((name) => `${room}/${name}`),
    );
    const own = files.filter((file) => file.endsWith('.ts') && file !== 'db/clock.ts');
    assert.ok(own.length > 100);
    const wrong = own.filter((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      // `Date.now()` may measure how long something takes; it may not become a time that others read.
      return /new Date\(\)|Date\.now\(\) \/ 1_?000|new Date\(Date\.now/.test(text);
    });
    assert.deepEqual(wrong, []);
  });
});

describe('Prepared statements', () => {
  it('have a name each, by which connections keep them', () => {
    const names = readdirSync(join(root, 'db'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const text = readFileSync(join(root, 'db', file), 'utf8');
        return [...text.matchAll(/^ +'([a-z]+(?:-[a-z]+)+)',$/gm)].map(([, name = '']) => name);
      });
    assert.ok(names.length > 80);
    assert.deepEqual(
      names.filter((name, at) => names.indexOf(name) !== at),
      [],
    );
  });
});

describe('Connections to Temporal', () => {
  it('are made from the settings, with their TLS', () => {
    const connecting = ['activities', 'admin', 'api', 'local', 'temporal', 'worker'];
    const files = connecting.flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((name) => `${room}/${name}`),
    );
    const made = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const text = readFileSync(join(root, file), 'utf8');
        return [...text.matchAll(/Connection\.(?:connect|lazy)\(([^)]*)/g)].map(([, given = '']) => ({
          file,
          given,
        }));
      });
    assert.ok(made.length >= 7);
    const wrong = made.filter(
      ({ given }) => /\baddress\b/.test(given) || !/\w*(\.connection|\.\.\.to)\b/.test(given),
    );
    assert.deepEqual(wrong, []);
  });
});

describe('The tests', () => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, text: readFileSync(join(root, 'test', name), 'utf8') }));

  // Outside of one, mocha runs them around every test, and a lane with the file that it loads first.
  it('have their hooks within a describe', () => {
    assert.ok(files.length > 100);
    const outside = files.filter(({ text }) => /^(before|after)(Each)?\(/m.test(text));
    assert.deepEqual(
      outside.map(({ name }) => name),
      [],
    );
  });

  it('have no function whose name ends in Of', () => {
    const found = files.flatMap(({ text }) => text.match(/\b(?:function\*?|const) \w*[a-z]Of\b/g) ?? []);
    assert.deepEqual(found, []);
  });
});

/** What the project's rules say of these files, in a tree of their own; a line a finding. */
function lint(files: [file: string, content: string][]): string {
  const tree = mkdtempSync(join(tmpdir(), 'payments-lint-'));
  try {
    cpSync(join(root, '.oxlintrc.json'), join(tree, '.oxlintrc.json'));
    // The rules of our own, and what they need.
    cpSync(join(root, 'test/lint'), join(tree, 'test/lint'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
    for (const [file, content] of files) {
      mkdirSync(join(tree, dirname(file)), { recursive: true });
      writeFileSync(join(tree, file), content);
    }
    const options = { cwd: tree, encoding: 'utf8' } as const;
    return spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format', 'unix', '.'], options).stdout;
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}
