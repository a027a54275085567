import assert from 'node:assert/strict';
import { ConfigError, readConfig } from '../config.ts';

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
    it(`make ${publicUrl} of ${JSON.stringify(env)}`, () => {
      const { publicUrl: made, auth } = read(env);
      assert.deepEqual([made, auth.issuer, auth.audience], [publicUrl, publicUrl, publicUrl]);
    });
  }

  it('name the origins of browsers that may call, none by default', () => {
    assert.deepEqual(read({}).corsOrigins, []);
    const { corsOrigins } = read({ CORS_ORIGINS: 'https://shop.example, http://localhost:5173' });
    assert.deepEqual(corsOrigins, ['https://shop.example', 'http://localhost:5173']);
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
  ];
  for (const [setting, value] of refused) {
    it(`cannot be ${setting}=${value}`, () => {
      assert.throws(() => read({ [setting]: value }), ConfigError);
    });
  }
});
