import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, { version: string }>;
};
const root = fileURLToPath(new URL('../..', import.meta.url));

describe('npm run audit', () => {
  let server: Server;
  let registry: string;
  /** What the registry answers to the question for advisories. */
  let answer: (res: ServerResponse) => void;
  before(async () => {
    server = createServer((req, res) => {
      req.resume();
      req.on('end', () => (req.method === 'GET' ? describePackage(req, res) : answer(res)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** npm looks at the versions of the package that an advisory names. */
  const describePackage = ({ url = '' }: IncomingMessage, res: ServerResponse) => {
    const name = decodeURIComponent(url.slice(1));
    const installed = lock.packages[`node_modules/${name}`]?.version ?? '';
    const versions = { [installed]: { name, version: installed, dist: { tarball: `${registry}/none` } } };
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ name, versions }));
  };

  const advise = (severity: string) => (res: ServerResponse) => {
    const advisory = { id: severity, title: 'A hole', url: 'https://advisories.example/1', severity };
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(
      JSON.stringify({
        'prom-client': [{ ...advisory, vulnerable_versions: '*', cwe: [], cvss: { score: 9 } }],
      }),
    );
  };

  async function audit(from = registry): Promise<{ code: number; out: string }> {
    const child = spawn('npm', ['run', '-s', 'audit'], {
      cwd: root,
      env: { ...process.env, npm_config_registry: from },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? -1)));
    const [code, out] = await Promise.all([exit, text(child.stdout)]);
    return { code, out: out.trim() };
  }

  it('fails for a high hole in production, by name', async () => {
    answer = advise('high');
    const { code, out } = await audit();
    assert.deepEqual([code, out], [1, 'high: prom-client *\naudited: 1 high']);
  });

  it('tells of a smaller one, and does not fail', async () => {
    answer = advise('moderate');
    assert.deepEqual(await audit(), { code: 0, out: 'audited: 1 moderate' });
  });

  it('fails clearly when the registry has no advisories', async () => {
    answer = (res) => res.writeHead(405).end();
    const { code, out } = await audit();
    assert.equal(code, 2);
    assert.match(out, /^NOT AUDITED: .*405.*\. Run it again, or ask one that has them/);
  });

  it('fails where the registry cannot be reached', async () => {
    const { code, out } = await audit('http://127.0.0.1:9');
    assert.equal(code, 2);
    assert.match(out, /^NOT AUDITED: .*ECONNREFUSED/);
  });
});
