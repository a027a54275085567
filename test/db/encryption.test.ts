import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { decryptSecret, deriveKey, encryptSecret } from '../../db/encryption.ts';

const key = randomBytes(32);

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
    assert.throws(() => decryptSecret(randomBytes(32), 'signing_keys/a', sealed));
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

describe('A derived key', () => {
  it('is the same for one use and another for each', () => {
    assert.deepEqual(deriveKey(key, 'cursors'), deriveKey(key, 'cursors'));
    assert.notDeepEqual(deriveKey(key, 'cursors'), deriveKey(key, 'at-rest'));
    assert.notDeepEqual(deriveKey(key, 'cursors'), key);
  });
});
