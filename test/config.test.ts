import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig, type Config } from '#startup/config.ts';
import { ConfigError } from '#startup/settings/read.ts';

const required = {
  DATABASE_URL: 'postgres://localhost/payments',
  PROCESSOR_URL: 'http://127.0.0.1:9',
  PROCESSOR_SECRET: 'the-secret-of-the-processor',
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
};
const read = (env: Record<string, string>) => readConfig({ ...required, ...env });
const tls = { TLS_CERT: 'cert.pem', TLS_KEY: 'key.pem' };

describe('The settings', () => {
  const urls: [env: Record<string, string>, publicUrl: string][] = [
    [{}, 'http://127.0.0.1:3000'],
    [{ PORT: '0' }, 'http://127.0.0.1:0'],
    [{ HOST: '::1', PORT: '8080' }, 'http://[::1]:8080'],
    [{ ...tls, HOST: 'pay.example', PORT: '443' }, 'https://pay.example:443'],
    [{ ...tls, PUBLIC_URL: 'https://api.pay.example/' }, 'https://api.pay.example'],
  ];
  for (const [env, publicUrl] of urls) {
    it(`make the public URL ${publicUrl} from ${JSON.stringify(env)}`, () => {
      const { publicUrl: made, auth } = read(env);
      assert.deepEqual([made, auth.issuer, auth.audience], [publicUrl, publicUrl, publicUrl]);
    });
  }

  it('name the allowed browser origins, none by default', () => {
    assert.deepEqual(read({}).corsOrigins, []);
    const { corsOrigins } = read({ CORS_ORIGINS: 'https://shop.example, http://localhost:5173' });
    assert.deepEqual(corsOrigins, ['https://shop.example', 'http://localhost:5173']);
  });

  it('separate the processor secret from the notification secrets', () => {
    assert.deepEqual(read({}).processor?.notificationSecrets, [required.PROCESSOR_SECRET]);
    const two = 'the-secret-before-this,the-secret-from-now';
    const processor = read({ PROCESSOR_NOTIFICATION_SECRETS: two }).processor;
    assert.deepEqual(
      [processor?.secret, processor?.notificationSecrets],
      [required.PROCESSOR_SECRET, two.split(',')],
    );
  });

  it('take plain http only locally or with ALLOW_PLAIN_HTTP', () => {
    const issuer = { AUTH_ISSUER: 'http://issuer.example', AUTH_AUDIENCE: 'us' };
    assert.throws(() => read(issuer), /AUTH_ISSUER: must be https beyond this machine/);
    assert.equal(read({ ...issuer, ALLOW_PLAIN_HTTP: '1' }).auth.issuer, 'http://issuer.example');
    const store = { BLOB_S3_BUCKET: 'results', BLOB_S3_ENDPOINT: 'http://store.example' };
    assert.throws(() => read(store), /BLOB_S3_ENDPOINT: must be https beyond this machine/);
    read({ ...store, ALLOW_PLAIN_HTTP: '1' });
    read({ ...store, BLOB_S3_ENDPOINT: 'http://127.0.0.1:9000' });
    for (const url of ['http://[::1]:9', 'http://localhost:9', 'https://processor.example']) {
      assert.equal(read({ PROCESSOR_URL: url }).processor?.url, url);
    }
  });

  it('refuse a task queue whose runs would wait', () => {
    assert.throws(
      () => read({ TEMPORAL_TASK_QUEUE: 'others' }),
      /TEMPORAL_TASK_QUEUE: is no setting any more/,
    );
    assert.doesNotThrow(() => read({ TEMPORAL_TASK_QUEUE: 'payments' }));
  });

  it('count the proxies before the API', () => {
    const counts = ['0', 'false', '1', 'true', '3'].map((TRUST_PROXY) => read({ TRUST_PROXY }).trustProxy);
    assert.deepEqual(counts, [0, 0, 1, 1, 3]);
  });

  const refused: [setting: string, value: string][] = [
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://shop.example/'],
    ['CORS_ORIGINS', 'https://*.shop.example'],
    ['CORS_ORIGINS', 'shop.example'],
    ['CORS_ORIGINS', 'null'],
    ['CORS_ORIGINS', 'https://a.example,'],
    ['HOST', '0.0.0.0'],
    ['TLS_CERT', 'cert.pem'],
    ['AUTH_ISSUER', 'https://issuer.example'],
    ['SECRETS_KEY', 'short'],
    ['PROCESSOR_NOTIFICATION_SECRETS', 'short'],
    ['PROCESSOR_NOTIFICATION_SECRETS', 'a-secret-of-16-characters,another-secret-of-16,a-third-secret-of-16'],
    ['PROCESSOR_URL', 'http://processor.example'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', '-1'],
    ['TRUST_PROXY', '10.0.0.0/8'],
  ];
  for (const [setting, value] of refused) {
    it(`cannot have the value ${setting}=${value}`, () => {
      assert.throws(() => read({ [setting]: value }), ConfigError);
    });
  }

  it('end the process with 2 and a sentence when wrong', async () => {
    const env = { PATH: process.env['PATH'], ...required, CHARGE_EXECUTION: 'eager' };
    const args = ['--import', 'tsx', 'api/server.ts'];
    const [code, said] = await new Promise<[unknown, string]>((resolve) => {
      execFile(process.execPath, args, { env }, (error, _, stderr) => resolve([error?.code, stderr]));
    });
    assert.equal(code, 2, said);
    assert.match(said, /^ {2}CHARGE_EXECUTION: must be one of: workflow, inline$/m);
  });

  describe('that are secret', () => {
    const folder = mkdtempSync(join(tmpdir(), 'payments-secrets-'));
    const file = (content: string) => {
      const path = join(folder, randomUUID());
      writeFileSync(path, content);
      return path;
    };
    const without = (name: string) =>
      Object.fromEntries(Object.entries(required).filter(([key]) => key !== name));
    after(() => rmSync(folder, { recursive: true }));

    for (const [name, value, read] of [
      ['DATABASE_URL', 'postgres://in.a.file/payments', (config: Config) => config.databaseUrl],
      ['PROCESSOR_SECRET', 'a-secret-that-lies-in-a-file', (config: Config) => config.processor?.secret],
      [
        'SECRETS_KEY',
        Buffer.alloc(32, 7).toString('base64'),
        (config: Config) => config.secretsKey[0].key.toString('base64'),
      ],
    ] as const) {
      it(`may lie in a file: ${name}`, () => {
        const env = { ...without(name), [`${name}_FILE`]: file(`${value}\n`) };
        assert.equal(read(readConfig(env)), value);
      });
    }

    it('are in one readable file that is not empty', () => {
      const findFault = (env: Record<string, string>) => {
        try {
          readConfig(env);
        } catch (error) {
          return (error as ConfigError).message.split('\n').slice(1).join();
        }
        return null;
      };
      const secret = file('a secret of the processor');
      assert.match(
        findFault({ ...required, PROCESSOR_SECRET_FILE: secret }) ?? '',
        /^ {2}PROCESSOR_SECRET_FILE: and PROCESSOR_SECRET are two/,
      );
      const rest = without('PROCESSOR_SECRET');
      assert.match(
        findFault({ ...rest, PROCESSOR_SECRET_FILE: join(folder, 'none') }) ?? '',
        /^ {2}PROCESSOR_SECRET_FILE: .* \(ENOENT\)$/,
      );
      assert.match(
        findFault({ ...rest, PROCESSOR_SECRET_FILE: file('\n') }) ?? '',
        /^ {2}PROCESSOR_SECRET_FILE: .* is empty$/,
      );
    });
  });
});
