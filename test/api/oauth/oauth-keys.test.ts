import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSigningKey, openSigningKeys, tokensLiveMs, type SigningKeys } from '#issuer/keys.ts';
import {
  insertNextSigningKey,
  listSigningKeys,
  replaceSigningKeys,
  retireSigningKey,
} from '#db/access/signing-keys.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';

describe('The signing keys', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  let first: string;
  beforeEach(async () => {
    await api.db('signing_keys').delete();
    first = await current(await open());
    await hasSignedFor(first, 86_400);
  });

  /** As a process that has just started. */
  const open = () => openSigningKeys(api.db, api.config.secretsKey);
  const current = async (keys: SigningKeys) => (await keys.current()).kid;
  const published = async () => (await (await open()).publicKeys()).map(({ kid }) => kid);

  async function addNext(signsAfterMs: number): Promise<string> {
    const key = await createSigningKey(api.config.secretsKey);
    await insertNextSigningKey(api.db, key, signsAfterMs);
    return key.kid;
  }

  /** Has the key sign since a while ago, as if that time had passed. */
  const hasSignedFor = (kid: string, seconds: number) =>
    api.db.raw(`update signing_keys set signs_from = now() - ? * interval '1 s' where kid = ?`, [
      seconds,
      kid,
    ]);

  it('are made once by processes that start together', async () => {
    await api.db('signing_keys').delete();
    const kids = await Promise.all([1, 2, 3, 4].map(async () => current(await open())));
    assert.equal(new Set(kids).size, 1);
  });

  it('are stored encrypted in the database', async () => {
    const row = await api.db('signing_keys').first<{ private_key: Buffer }>('private_key');
    assert.doesNotMatch(row?.private_key.toString('latin1') ?? '', /"d"|kty/);
  });

  it('have ids that a command line takes', async () => {
    const made = Array.from({ length: 400 }, () => createSigningKey(api.config.secretsKey));
    const kids = (await Promise.all(made)).map(({ kid }) => kid);
    assert.deepEqual(
      kids.filter((kid) => kid.startsWith('-')),
      [],
    );
  });

  it('do not open under another SECRETS_KEY', async () => {
    await assert.rejects(openSigningKeys(api.db, [{ id: '', key: Buffer.alloc(32) }]), /another SECRETS_KEY/);
  });

  it('are read anew for another process’s key', async () => {
    const early = await open();
    const next = await addNext(0);
    await sleep(600);
    assert.ok(await early.findKey(next));
  });

  it('are published before they sign', async () => {
    const next = await addNext(600_000);
    assert.deepEqual(await published(), [next, first]);
    assert.equal(await current(await open()), first);
  });

  it('sign from their time; the one before still verifies', async () => {
    const next = await addNext(600_000);
    await hasSignedFor(next, 1);
    assert.equal(await current(await open()), next);
    assert.deepEqual(await published(), [next, first]);
    await hasSignedFor(next, 600);
    assert.deepEqual(await published(), [next, first], 'a token of the last moment lives for 600 s');
    await hasSignedFor(next, tokensLiveMs / 1_000);
    assert.deepEqual(await published(), [next]);
  });

  it('sign one after another, however many are waiting', async () => {
    const [second, third] = [await addNext(500_000), await addNext(600_000)];
    assert.deepEqual([await published(), await current(await open())], [[third, second, first], first]);
    await hasSignedFor(second, 1);
    assert.equal(await current(await open()), second);
  });

  it('that are retired neither sign nor verify', async () => {
    const next = await addNext(0);
    assert.equal(await retireSigningKey(api.db, first), 'retired');
    assert.deepEqual([await published(), await current(await open())], [[next], next]);
  });

  it('that retire early leave the one before', async () => {
    const next = await addNext(600_000);
    assert.equal(await retireSigningKey(api.db, next), 'retired');
    const [key] = await listSigningKeys(api.db, tokensLiveMs);
    assert.deepEqual([key?.kid, key?.isCurrent, key?.signsUntil], [first, true, null]);
  });

  it('are not retired if no other key can sign', async () => {
    await addNext(600_000);
    assert.equal(await retireSigningKey(api.db, first), 'needed');
    assert.equal(await retireSigningKey(api.db, 'x'), 'unknown');
    assert.equal(await current(await open()), first);
  });

  it('are all replaced at once by one new key', async () => {
    await addNext(600_000);
    const key = await createSigningKey(api.config.secretsKey);
    await replaceSigningKeys(api.db, key);
    assert.deepEqual([await published(), await current(await open())], [[key.kid], key.kid]);
  });
});
