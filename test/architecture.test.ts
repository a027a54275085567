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
import { bundledWorkflows } from './workflows/bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('What the worker runs as workflows', () => {
  let modules: string[];
  before(async function () {
    this.timeout(60_000);
    const code = readFileSync((await bundledWorkflows()).codePath, 'utf8');
    modules = [...code.matchAll(/^\/\*\*\*\/ "([^"]+)"/gm)].map(([, name = '']) => name);
  });

  it('holds the workflows, and of the other rooms at most domain', () => {
    const own = modules.filter((name) => name.startsWith('./') && !name.startsWith('./node_modules/'));
    assert.ok(own.includes('./workflows/charges.ts'));
    assert.deepEqual(
      own.filter((name) => !/^\.\/(workflows|domain)\//.test(name)),
      [],
    );
  });

  it('holds what the SDK needs of packages, and nothing of Node', () => {
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

describe('The linter', () => {
  /** A room, and a line that may not stand in it. */
  const breaches: [room: string, line: string][] = [
    ['domain', `import { prepared } from '#db/knex.ts';`],
    ['domain', `import { createHash } from 'node:crypto';`],
    ['db', `import { submit } from '#api/submit.ts';`],
    ['workflows', `import { createActivities } from '#activities/index.ts';`],
    ['workflows', `import { beginCharge } from '#db/charges.ts';`],
    ['workflows', `import { readConfig } from '../config.ts';`],
    ['workflows', `import { randomUUID } from 'node:crypto';`],
    ['workflows', `import { z } from 'zod';`],
    ['workflows', `export const home = process.cwd();`],
    ['activities', `import { submit } from '#api/submit.ts';`],
    ['activities/processor', `import { submit } from '#api/submit.ts';`],
    ['api', `import { charge } from '#workflows/charges.ts';`],
    ['api', `import { createActivities } from '#activities/index.ts';`],
    ['api', `import { Dispatcher } from '#activities/webhooks/dispatcher.ts';`],
    ['api', `import { webhookEndpoint } from '#workflows/webhook-endpoints.ts';`],
    ['api', `import { startStack } from '#local/stack.ts';`],
    ['api', `export const home = process.env['HOME'];`],
    ['worker', `import { submit } from '#api/submit.ts';`],
    ['telemetry', `import { prepared } from '#db/knex.ts';`],
    ['workflows', `import { HttpMetrics } from '#telemetry/http-metrics.ts';`],
    ['client', `import { problems } from '#domain/problems.ts';`],
    ['client', `import { z } from 'zod';`],
  ];
  const fileOf = (room: string, line: string) =>
    `${room}/breach-${breaches.findIndex((other) => other[0] === room && other[1] === line)}.ts`;
  const sound: [file: string, line: string] = [
    'workflows/sound.ts',
    `import type { Activities } from '#activities/index.ts';`,
  ];

  let findings: string;
  before(() => {
    findings = lint([...breaches.map(([room, line]): [string, string] => [fileOf(room, line), line]), sound]);
  });

  for (const [room, line] of breaches) {
    it(`refuses in ${room}/: ${line}`, () => {
      const found = findings.split('\n').filter((finding) => finding.includes(fileOf(room, line)));
      assert.match(found.join('\n'), /no-restricted-(imports|globals)|no-process-env/);
    });
  }

  it('lets workflows name the types of activities', () => {
    const found = findings.split('\n').filter((finding) => finding.includes(sound[0]));
    assert.doesNotMatch(found.join('\n'), /restricted/);
  });
});

describe('Times that are kept or compared', () => {
  it('come from the clock of Postgres, not the machine', () => {
    const rooms = ['activities', 'api', 'db', 'worker'];
    const files = rooms.flatMap((room) =>
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

describe('Connections to Temporal', () => {
  it('are made from the settings, with their TLS', () => {
    const rooms = ['activities', 'admin', 'api', 'local', 'worker'];
    const files = rooms.flatMap((room) =>
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
  it('have their hooks within a describe: outside of one they are run around every test of the suite', () => {
    const names = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => name.endsWith('.test.ts'));
    assert.ok(files.length > 50);
    const outside = files.filter((file) =>
      /^(before|after)(Each)?\(/m.test(readFileSync(join(root, 'test', file), 'utf8')),
    );
    assert.deepEqual(outside, []);
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
