import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  decryptSecret,
  deriveKey,
  encryptSecret,
  readKeyId,
  parseSecretsKeys,
  type SecretsKeys,
} from '#db/encryption.ts';

const bytes = randomBytes(32);
const key: SecretsKeys = [{ id: '', key: bytes }];

describe('A secret at rest', () => {
  const sealed = encryptSecret(key, 'signing_keys/a', 'geheim 🔑');

  it('opens where it was sealed', () => {
    assert.equal(decryptSecret(key, 'signing_keys/a', sealed), 'geheim 🔑');
  });

  it('is sealed differently each time', () => {
    assert.notDeepEqual(encryptSecret(key, 'signing_keys/a', 'geheim 🔑'), sealed);
  });

  it('does not open elsewhere, nor under another key', () => {
    assert.throws(() => decryptSecret(key, 'signing_keys/b', sealed));
    assert.throws(() => decryptSecret([{ id: '', key: randomBytes(32) }], 'signing_keys/a', sealed));
  });

  it('does not open with any byte changed or missing', () => {
    for (let i = 0; i < sealed.length; i += 1) {
      const changed = Buffer.from(sealed);
      changed[i] = (changed[i] ?? 0) ^ 1;
      assert.throws(() => decryptSecret(key, 'signing_keys/a', changed), `byte ${i}`);
      assert.throws(() => decryptSecret(key, 'signing_keys/a', sealed.subarray(0, i)), `cut to ${i}`);
    }
  });
});

describe('Several keys', () => {
  const [old, next] = [randomBytes(32), randomBytes(32)].map((made) => made.toString('base64'));
  const parseKeys = (text: string): SecretsKeys => {
    const keys = parseSecretsKeys(text);
    assert.ok(keys, text);
    return keys;
  };
  const place = 'signing_keys/a';

  it('seal with the first and open with all', () => {
    const before = encryptSecret(parseKeys(`a:${old}`), place, 'geheim');
    const both = parseKeys(`b:${next},a:${old}`);
    const after = encryptSecret(both, place, 'geheim');
    assert.deepEqual([readKeyId(before, place), readKeyId(after, place)], ['a', 'b']);
    for (const sealed of [before, after]) assert.equal(decryptSecret(both, place, sealed), 'geheim');
    assert.throws(
      () => decryptSecret(parseKeys(`b:${next}`), place, before),
      /under the key a, which SECRETS_KEY/,
    );
  });

  it('open secrets sealed without an id, and vice versa', () => {
    const [plain, named] = [parseKeys(old!), parseKeys(`b:${next},a:${old}`)];
    assert.equal(decryptSecret(named, place, encryptSecret(plain, place, 'geheim')), 'geheim');
    assert.equal(
      decryptSecret(plain, place, encryptSecret(parseKeys(`a:${old}`), place, 'geheim')),
      'geheim',
    );
  });

  it('bind the id to what they sealed', () => {
    const sealed = encryptSecret(parseKeys(`a:${old}`), place, 'geheim');
    const renamed = Buffer.from(sealed);
    renamed[2] = 'b'.charCodeAt(0);
    assert.throws(() => decryptSecret(parseKeys(`b:${old}`), place, renamed));
  });

  it('need ids of their own', () => {
    for (const text of [
      '',
      'a:',
      `${old},${next}`,
      `a:${old},a:${next}`,
      `a:${old},`,
      `a b:${old}`,
      'a:c2hvcnQ=',
    ]) {
      assert.equal(parseSecretsKeys(text), null, text);
    }
  });
});

describe('A derived key', () => {
  it('is stable for each use and different between uses', () => {
    assert.deepEqual(deriveKey(bytes, 'cursors'), deriveKey(bytes, 'cursors'));
    assert.notDeepEqual(deriveKey(bytes, 'cursors'), deriveKey(bytes, 'at-rest'));
    assert.notDeepEqual(deriveKey(bytes, 'cursors'), bytes);
  });
});
