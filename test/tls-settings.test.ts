import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '#startup/config.ts';
import { makeCertificates, type Certificates } from './support/stack/outside/certificates.ts';

const required = {
  DATABASE_URL: 'postgres://localhost/payments',
  PROCESSOR_URL: 'http://127.0.0.1:9',
  PROCESSOR_SECRET: 'the-secret-of-the-processor',
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
};
const connectionBy = (env: Record<string, string>) => readConfig({ ...required, ...env }).temporal.connection;

describe('The settings of TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'payments-tls-settings-'));
  const none = join(folder, 'none');
  let files: Certificates;
  let key: string;
  before(async () => {
    files = await makeCertificates(folder, 'Ours');
    key = join(folder, 'api-key');
    writeFileSync(key, 'a-key-in-a-file\n');
  });
  after(() => rmSync(folder, { recursive: true }));

  /** What is said of settings, a line each. */
  function listFaults(env: Record<string, string>): string[] {
    try {
      readConfig({ ...required, ...env });
    } catch (error) {
      return (error as Error).message
        .split('\n')
        .slice(1)
        .map((line) => line.trim());
    }
    return [];
  }

  it('leave the connection to Temporal plain', () => {
    assert.deepEqual(connectionBy({}), { address: '127.0.0.1:7233' });
    assert.deepEqual(connectionBy({ TEMPORAL_TLS: '0' }), { address: '127.0.0.1:7233' });
  });

  it('turn TLS on, by each that needs it', () => {
    for (const env of [
      { TEMPORAL_TLS: '1' },
      { TEMPORAL_TLS: 'true' },
      { TEMPORAL_TLS_CA: files.ca },
      { TEMPORAL_TLS_CERT: files.client.cert, TEMPORAL_TLS_KEY: files.client.key },
      { TEMPORAL_TLS_SERVER_NAME: 'temporal.example' },
      { TEMPORAL_API_KEY: 'a-key' },
      { TEMPORAL_API_KEY_FILE: key },
    ]) {
      assert.ok(connectionBy(env).tls?.serverRootCACertificate, JSON.stringify(env));
    }
  });

  it('take the API key from a file', () => {
    assert.equal(connectionBy({ TEMPORAL_API_KEY_FILE: key }).apiKey, 'a-key-in-a-file');
  });

  const faulty: [why: string, env: () => Record<string, string>, said: RegExp][] = [
    [
      'a word that is no switch',
      () => ({ TEMPORAL_TLS: 'maybe' }),
      /^TEMPORAL_TLS: must be 0, 1, true or false$/,
    ],
    [
      'TLS off beside what needs it',
      () => ({ TEMPORAL_TLS: '0', TEMPORAL_API_KEY: 'a-key', TEMPORAL_TLS_CA: files.ca }),
      /^TEMPORAL_TLS: is off, and TEMPORAL_TLS_CA, TEMPORAL_API_KEY cannot be used without TLS$/,
    ],
    [
      'a certificate without its key',
      () => ({ TEMPORAL_TLS_CERT: files.client.cert }),
      /^TEMPORAL_TLS_KEY: is required with TEMPORAL_TLS_CERT$/,
    ],
    [
      'a key without its certificate',
      () => ({ TEMPORAL_TLS_KEY: files.client.key }),
      /^TEMPORAL_TLS_CERT: is required with TEMPORAL_TLS_KEY$/,
    ],
    [
      'the key of another certificate',
      () => ({ TEMPORAL_TLS_CERT: files.client.cert, TEMPORAL_TLS_KEY: files.server.key }),
      /^TEMPORAL_TLS_KEY: .* is not the key of /,
    ],
    ['a missing authority', () => ({ TEMPORAL_TLS_CA: none }), /^TEMPORAL_TLS_CA: .* \(ENOENT\)$/],
    [
      'a key for an authority',
      () => ({ TEMPORAL_TLS_CA: files.client.key }),
      /^TEMPORAL_TLS_CA: .* is not a certificate in PEM$/,
    ],
    [
      'an API key that no header holds',
      () => ({ TEMPORAL_API_KEY: 'a key\nof two lines' }),
      /^TEMPORAL_API_KEY: must be printable ASCII without blanks$/,
    ],
    [
      'a missing authority of Postgres',
      () => ({ DATABASE_URL: `postgres://localhost/x?sslmode=verify-full&sslrootcert=${none}` }),
      /^DATABASE_URL sslrootcert: .* \(ENOENT\)$/,
    ],
    [
      'a mode of Postgres that is unknown',
      () => ({ DATABASE_URL: 'postgres://localhost/x?sslmode=verify_full' }),
      /^DATABASE_URL: sslmode must be one of disable, /,
    ],
    [
      'an authority of Postgres that is not used',
      () => ({ DATABASE_URL: `postgres://localhost/x?sslmode=disable&sslrootcert=${files.ca}` }),
      /^DATABASE_URL: sslmode=disable makes no use of sslrootcert/,
    ],
    [
      'a certificate for Postgres without its key',
      () => ({ DATABASE_URL: `postgres://localhost/x?sslmode=verify-full&sslcert=${files.client.cert}` }),
      /^DATABASE_URL: sslcert and sslkey go together$/,
    ],
  ];
  for (const [why, env, said] of faulty) {
    it(`refuse ${why} with exactly one message`, () => {
      const [fault = '', ...others] = listFaults(env());
      assert.match(fault, said);
      assert.deepEqual(others, []);
    });
  }

  it('are told wrong all at once, without the key', () => {
    const faults = listFaults({
      PORT: '99999',
      TEMPORAL_TLS_CA: none,
      TEMPORAL_TLS_KEY: files.server.key,
      TEMPORAL_API_KEY: 'a key of mine',
      DATABASE_URL: `postgres://localhost/x?sslrootcert=${none}`,
    });
    const names = faults.map((line) => line.replace(/:.*/, ''));
    assert.deepEqual(names.toSorted(), [
      'DATABASE_URL sslrootcert',
      'PORT',
      'TEMPORAL_API_KEY',
      'TEMPORAL_TLS_CA',
      'TEMPORAL_TLS_CERT',
    ]);
    assert.doesNotMatch(faults.join(), /a key of mine/);
  });
});
