import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, waitUntilGone } from '#local/processes/processes.ts';
import {
  Launcher,
  listeningAddresses,
  newFolder,
  listPids,
  processesNaming,
  runLauncher,
} from './launcher.ts';
import type { RunFile } from './launcher.ts';

/** The printed line, as a person pastes it. */
const paste = (output: string) =>
  execFileSync('/bin/sh', ['-c', /^TOKEN=.*$/m.exec(output)![0]], { encoding: 'utf8' });

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let left = 600; !(await holds()); left--) {
    assert.ok(left > 0, `in vain: ${what}`);
    await sleep(50);
  }
}

const answers = (url: string) =>
  fetch(url).then(
    (response) => response.status === 200,
    () => false,
  );

describe('npm start', function () {
  let folder: string;
  let launcher: Launcher;
  let run: RunFile;
  let firstAnswer: string;

  before(async () => {
    folder = newFolder();
    launcher = new Launcher(folder);
    run = await launcher.untilReady();
    firstAnswer = paste(launcher.output);
  });
  after(async () => {
    await launcher.end('SIGKILL');
    await until('everything ends', () => processesNaming(folder).length === 0);
    rmSync(folder, { recursive: true, force: true });
  });

  it('prints addresses, credentials, and `ready` on the last line', () => {
    for (const shown of [
      run.api,
      `${run.api}/docs`,
      run.temporal_ui,
      run.demo.client_id,
      run.demo.client_secret,
    ]) {
      assert.ok(launcher.output.includes(shown), shown);
    }
    assert.equal(launcher.output.trimEnd().split('\n').at(-1), 'ready');
  });

  it('has every part answering when it says so', async () => {
    assert.ok(await answers(`${run.api}/readyz`));
    assert.ok(await answers(run.temporal_ui));
    assert.ok(await answers(`${run.console}/readyz`));
    assert.ok(listPids(run).length === 7 && listPids(run).every(isAlive));
  });

  it('prints a link that leads to the sign-in of the console', async () => {
    const link = /^http\S+\/sign-in\?code=\S+$/m.exec(launcher.output)?.[0] ?? '';
    assert.ok(link.startsWith(`${run.console}/`));
    assert.match(await (await fetch(link)).text(), /<button type="submit">Sign in<\/button>/);
  });

  it('prints a line that makes a charge, repeatably', () => {
    const [body, status] = firstAnswer.trim().split('\n');
    assert.equal(status, '201');
    assert.equal((JSON.parse(body!) as { status: string }).status, 'succeeded');
    assert.equal(paste(launcher.output), firstAnswer);
  });

  it('prints the page of the workflow of that charge', async () => {
    assert.match(run.temporal_ui, /^http:\/\/127\.0\.0\.1:\d+\/namespaces\/payments$/);
    const page = `${run.temporal_ui}/workflows/${encodeURIComponent(`charge/${run.demo.account}/first-charge`)}`;
    assert.ok(launcher.output.includes(`\n${page}\n`), page);
    // The UI asks for what it shows under the same names.
    const asked = page.replace('/namespaces/', '/api/v1/namespaces/');
    const shown = (await (await fetch(asked)).json()) as {
      workflowExecutionInfo?: { type: { name: string } };
    };
    assert.equal(shown.workflowExecutionInfo?.type.name, 'charge');
  });

  it('prints the settings of the clients, ready to paste', () => {
    const lines = launcher.output.match(/^export PAYMENTS_\w+=.+$/gm)?.join('\n') ?? '';
    const shown = execFileSync('/bin/sh', ['-c', `${lines}\nenv | grep ^PAYMENTS_ | sort`], {
      encoding: 'utf8',
    });
    const secret = /^PAYMENTS_WEBHOOK_SECRET=(whsec_[\w+/]{43}=)$/m.exec(shown)?.[1];
    assert.equal(
      shown,
      `PAYMENTS_CLIENT_ID=${run.demo.client_id}\nPAYMENTS_CLIENT_SECRET=${run.demo.client_secret}\n` +
        `PAYMENTS_URL=${run.api}\nPAYMENTS_WEBHOOK_SECRET=${secret}\n`,
    );
  });

  it('gives a token to either demo account', async () => {
    for (const { client_id: id, client_secret: secret } of [run.demo, run.other]) {
      const response = await fetch(`${run.api}/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      assert.equal(response.status, 200);
    }
    assert.notEqual(run.demo.account, run.other.account);
  });

  it('shows its secrets to their owner only', () => {
    for (const name of ['run.json', 'secrets.json', 'logs/api.log', 'postgres.password']) {
      assert.equal(statSync(join(folder, name)).mode & 0o077, 0, name);
    }
  });

  if (process.platform === 'linux') {
    it('listens on loopback only, all of it', () => {
      const addresses = listeningAddresses(listPids(run));
      assert.ok(addresses.length >= 5, 'no socket found');
      assert.deepEqual([...new Set(addresses)], ['0100007F']);
    });
  }

  it('refuses a second one in the same folder', () => {
    const second = runLauncher(['up'], { LOCAL_DIR: folder });
    assert.equal(second.status, 1);
    assert.equal(
      second.stderr,
      `${folder} is in use by process ${run.pids.launcher}: stop that one first, or give this one a folder of its own with LOCAL_DIR\n`,
    );
    assert.deepEqual(launcher.runFile(), run);
  });

  for (const part of ['api', 'worker', 'processor', 'temporal', 'postgres'] as const) {
    it(`restarts a crashed ${part} and says why it ended`, async () => {
      const before = launcher.runFile();
      process.kill(before.pids[part]!, 'SIGKILL');
      await until(
        'the process is another',
        () => ![null, before.pids[part]].includes(launcher.runFile().pids[part]),
      );
      await until('it answers', () => answers(`${run.api}/readyz`));
      assert.match(
        launcher.output,
        new RegExp(`^${part} crashed: ended by SIGKILL.* starting it again$`, 'm'),
      );
      assert.deepEqual({ ...launcher.runFile(), pids: null }, { ...run, pids: null });
    });
  }

  it('leaves nothing running when killed, and keeps its data', async () => {
    const pids = listPids(launcher.runFile());
    await launcher.end('SIGKILL');
    launcher = new Launcher(folder);
    const again = await launcher.untilReady();
    assert.ok(pids.every((pid) => !isAlive(pid)));
    assert.deepEqual([again.demo, again.other], [run.demo, run.other]);
    // The port is another one, and the answer names no port.
    assert.equal(paste(launcher.output), firstAnswer);
  });

  it('stops every process within 10 s at Ctrl-C', async () => {
    const pids = listPids(launcher.runFile());
    const began = Date.now();
    assert.equal(await launcher.end('SIGINT'), 0);
    assert.ok(Date.now() - began < 10_000);
    assert.deepEqual(pids.filter(isAlive), []);
    await until('nothing of it is left', () => processesNaming(folder).length === 0);
    assert.ok(!existsSync(join(folder, 'run.json')));
  });

  it('stops in order when its parent npm is killed', async () => {
    await launcher.end('SIGKILL');
    launcher = new Launcher(folder, ['npm', 'start']);
    const pids = listPids(await launcher.untilReady());
    await launcher.end('SIGKILL');
    for (const pid of pids) assert.ok(await waitUntilGone(pid, 20_000), `${pid} is left`);
    assert.ok(!existsSync(join(folder, 'run.json')));
  });

  it('can be stopped while it starts', async () => {
    await launcher.end('SIGKILL');
    // What a killed one leaves behind; it goes when the first part is up.
    writeFileSync(join(folder, 'run.json'), '{}');
    launcher = new Launcher(folder);
    await until('it has begun', () => !existsSync(join(folder, 'run.json')));
    // 130: what starts took longer than it may take to stop, and was killed.
    assert.ok([0, 130].includes(Number(await launcher.end('SIGTERM'))));
    await until('nothing of it is left', () => processesNaming(folder).length === 0);
  });
});

describe('npm start, asked for what it cannot do', () => {
  let folder: string;
  before(() => {
    folder = newFolder();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const oneLine = (env: NodeJS.ProcessEnv, said: RegExp) => {
    const { status, stderr } = runLauncher(['up'], { LOCAL_DIR: folder, ...env });
    assert.equal(status, 1);
    assert.match(stderr, said);
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
    assert.deepEqual(processesNaming(folder), []);
  };

  it('says with --help what there is', () => {
    const { status, stdout } = runLauncher(['up', '--help']);
    assert.equal(status, 0);
    for (const word of ['Usage: npm start', 'PORT', 'DATABASE_URL', 'TEMPORAL_ADDRESS', 'LOCAL_DIR']) {
      assert.ok(stdout.includes(word), word);
    }
  });

  it('answers a wrong flag with usage, exit code 2', () => {
    const { status, stderr } = runLauncher(['up', '--colour']);
    assert.equal(status, 2);
    assert.match(stderr, /^Unknown option '--colour'\n\nUsage: npm start/);
  });

  it('answers an unknown command with usage, exit code 2', () => {
    const { status, stderr } = runLauncher(['down']);
    assert.equal(status, 2);
    assert.match(stderr, /^Usage: .*\n$/);
  });

  it('names every unusable setting before anything starts', () => {
    const { status, stderr } = runLauncher(['up'], { LOCAL_DIR: folder, PORT: 'high', LOG_LEVEL: 'loud' });
    assert.equal(status, 2);
    assert.match(stderr, /LOG_LEVEL: must be one of: .+\n {2}PORT: must be a whole number\n/);
  });

  it('names the used port and how to choose another', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    oneLine({ PORT: String(port) }, new RegExp(`^Port ${port} is in use: .* PORT`));
    server.close();
  });

  it('says that DATABASE_URL does not answer, without its password', () => {
    oneLine(
      { DATABASE_URL: 'postgres://user:hidden@127.0.0.1:9/shop' },
      /^DATABASE_URL: 127\.0\.0\.1:9\/shop does not answer \((?!.*hidden).*ECONNREFUSED.*\): start that server/,
    );
  });

  it('says that TEMPORAL_ADDRESS does not answer', () => {
    oneLine(
      { TEMPORAL_ADDRESS: '127.0.0.1:9' },
      /^TEMPORAL_ADDRESS: 127\.0\.0\.1:9 does not serve .*: start that/,
    );
  });

  it('says that the local Temporal server has no TLS', () => {
    oneLine(
      { TEMPORAL_TLS: '1', TEMPORAL_API_KEY: 'a-key' },
      /^TEMPORAL_TLS, TEMPORAL_API_KEY: the local Temporal server has no TLS\. Unset this, or set TEMPORAL_ADDRESS/,
    );
  });

  it('says that TEMPORAL_CLI cannot be used', () => {
    oneLine({ TEMPORAL_CLI: '/no/such/tool' }, /^TEMPORAL_CLI \(\/no\/such\/tool\) cannot be used: .*ENOENT/);
  });

  it('names the options when no Temporal server is available', () => {
    const nowhere = { PATH: folder, XDG_CACHE_HOME: join(folder, 'cache'), HOME: folder };
    oneLine(nowhere, /^No Temporal server can be had here: .*TEMPORAL_CLI.*TEMPORAL_ADDRESS.*python3.*go/);
  });
});
