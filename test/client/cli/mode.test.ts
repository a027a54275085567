import assert from 'node:assert/strict';
import { checkMode, readMode, type Mode } from '#client/cli/tools/mode.ts';

/** What `payments doctor` says of test and live accounts. */
describe('The mode of an account', () => {
  const look = (mode: Mode, url: string, profile: string | null = null) =>
    checkMode(mode, url, profile).map(({ check, result }) => `${check} ${result}`);

  it('is what the token of the service says', () => {
    const token = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`;
    assert.equal(readMode(token({ livemode: true })), 'live');
    assert.equal(readMode(token({ livemode: false })), 'test');
    for (const silent of [token({ scope: 'charges:read' }), 'opaque', ''])
      assert.equal(readMode(silent), null);
  });

  it('fits addresses for tests and addresses in production', () => {
    const local = ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000', 'https://10.1.2.3'];
    const internal = ['https://192.168.1.5', 'https://172.20.0.2', 'https://[fd00::1]', 'https://payments'];
    const named = ['https://api.test', 'https://staging.example.com', 'https://pay-dev2.example.com'];
    for (const url of [...local, ...internal, ...named, 'https://sandbox.payments.example.com']) {
      assert.deepEqual(look('test', url), ['mode fine'], url);
      assert.deepEqual(look('live', url), ['mode warning'], url);
    }
    const production = ['https://payments.example.com', 'https://payments.example.dev', 'https://172.40.0.1'];
    for (const url of [...production, 'https://contest.example.com', 'https://[2001:db8::1]']) {
      assert.deepEqual(look('live', url), ['mode fine'], url);
      assert.deepEqual(look('test', url), ['mode warning'], url);
    }
  });

  it('warns of an account that does not say', () => {
    assert.deepEqual(look(null, 'http://127.0.0.1:3000', 'live'), ['mode warning']);
  });

  it('warns of a profile that is named otherwise', () => {
    const url = 'https://payments.example.com';
    assert.deepEqual(look('live', url, 'acme-staging'), ['mode fine', 'profile warning']);
    assert.deepEqual(look('test', 'http://127.0.0.1', 'production'), ['mode fine', 'profile warning']);
    for (const profile of ['default', 'live', 'acme', null])
      assert.deepEqual(look('live', url, profile), ['mode fine'], String(profile));
  });
});
