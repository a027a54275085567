import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { Revocations } from '#issuer/revocations.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { insertAccount } from '#db/access/accounts.ts';
import { buildClientStatus, findOAuthClient, insertOAuthClient } from '#db/access/oauth-clients.ts';
import { findRefreshToken, insertRefreshFamily, maxFamilies } from '#db/access/refresh-tokens.ts';
import { nothingSeen, readRevocations, revokeToken } from '#db/access/revocations.ts';
import { commitEffect } from '#db/writes/effects.ts';
import { createTestDatabase } from '../support/stack/app.ts';

describe('Revocations', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let db: Database;
  before(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 4);
  });
  after(async () => {
    await db.destroy();
    await database.drop();
  });

  const soon = () => new Date(Date.now() + 600_000);
  const subjectsSince = async (since: string) => {
    const { revocations, seen } = await readRevocations(db, since);
    return { subjects: revocations.map(({ subject }) => subject), seen };
  };
  async function createClient(): Promise<string> {
    const [accountId, id] = [newId('account'), newId('client')];
    await insertAccount(db, { id: accountId, name: 'Test' });
    const client = { id, accountId, name: 'Test', scopes: [], secretHash: 'x', jwks: null };
    await insertOAuthClient(db, { ...client, refreshTokens: true });
    return id;
  }
  async function setStatus(id: string, status: 'active' | 'disabled'): Promise<void> {
    const read = await findOAuthClient(db, id);
    assert.ok(read && (await commitEffect(db, buildClientStatus(read, status, 600_000), {})));
  }

  it('are read once, however many there are', async () => {
    const jtis = Array.from({ length: 500 }, () => randomUUID());
    await Promise.all(jtis.map((jti) => revokeToken(db, jti, soon())));
    const all = await subjectsSince(nothingSeen);
    assert.ok(jtis.every((jti) => all.subjects.includes(`token/${jti}`)));
    const last = randomUUID();
    await revokeToken(db, last, soon());
    const { subjects, seen } = await subjectsSince(all.seen);
    assert.deepEqual(subjects, [`token/${last}`]);
    assert.deepEqual((await subjectsSince(seen)).subjects, []);
  });

  it('are found by their index, not by reading all', async () => {
    const { rows } = await db.transaction(async (transaction) => {
      await transaction.raw('set local enable_seqscan = off');
      return transaction.raw<{ rows: { 'QUERY PLAN': string }[] }>(
        `explain select 1 from revocations where changed_xid >= '5'::xid8`,
      );
    });
    assert.match(JSON.stringify(rows), /revocations_changed_xid/);
  });

  it('are not missed when they commit after later ones', async () => {
    const slow = await db.transaction();
    const [first, second] = [randomUUID(), randomUUID()];
    await revokeToken(slow, first, soon());
    await revokeToken(db, second, soon());
    const before = await subjectsSince(nothingSeen);
    assert.ok(before.subjects.includes(`token/${second}`) && !before.subjects.includes(`token/${first}`));
    await slow.commit();
    assert.ok((await subjectsSince(before.seen)).subjects.includes(`token/${first}`));
  });

  it('are read again when they change', async () => {
    const id = await createClient();
    await setStatus(id, 'disabled');
    const { subjects, seen } = await subjectsSince(nothingSeen);
    assert.ok(subjects.includes(`client/${id}`));
    await setStatus(id, 'active');
    assert.deepEqual((await subjectsSince(seen)).subjects, [`client/${id}`]);
  });

  it('are found in a database with lower transaction ids', async () => {
    const revocations = new Revocations(db);
    const jti = randomUUID();
    await revokeToken(db, jti, soon());
    // As a dump from a database that was older has them.
    await db.raw('alter table revocations disable trigger revocations_change');
    await db.raw(`update revocations set changed_xid = '900000000000'`);
    await db.raw('alter table revocations enable trigger revocations_change');
    const of = { accountId: 'a', clientId: 'c', memberId: null, sessionId: null };
    const grant = { ...of, scopes: new Set<string>(), issuedAt: 0, expiresAt: 0 };
    assert.equal(await revocations.isRevoked({ ...grant, tokenId: jti }), true);
  });

  describe('and families of refresh tokens', () => {
    const begin = async (clientId: string) => {
      const hash = randomBytes(32);
      const token = { hash, accessJti: randomUUID(), accessExpiresAt: soon() };
      await insertRefreshFamily(db, { clientId, scopes: [], lifetimeMs: 600_000 }, token);
      return hash;
    };

    it('are bounded by client, the oldest giving way', async () => {
      const [client, other] = [await createClient(), await createClient()];
      const [oldest, theirs] = [await begin(client), await begin(other)];
      const hashes: Buffer[] = [];
      for (let n = 0; n < maxFamilies; n += 1) hashes.push(await begin(client));
      assert.equal(await findRefreshToken(db, oldest), null);
      for (const hash of [hashes[0]!, hashes.at(-1)!, theirs]) {
        assert.equal((await findRefreshToken(db, hash))?.state, 'live');
      }
      const [{ count } = {}] = await db('refresh_families')
        .where('client_id', client)
        .count<{ count: number }[]>();
      assert.equal(Number(count), maxFamilies);
    });

    it('give way first where they are revoked', async () => {
      const client = await createClient();
      const oldest = await begin(client);
      for (let n = 0; n < 10; n += 1) await begin(client);
      await db('refresh_families')
        .where('client_id', client)
        .whereNot('id', (await findRefreshToken(db, oldest))!.familyId)
        .update({ revoked_at: new Date() });
      for (let n = 0; n < maxFamilies - 1; n += 1) await begin(client);
      assert.equal((await findRefreshToken(db, oldest))?.state, 'live');
    });
  });
});
