import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { openSigningKeys } from '#issuer/keys.ts';
import { createAccountRoutes } from '#api/routes.ts';
import { parseSecretsKeys, type SecretsKeys } from '#db/encryption.ts';
import { insertProcessor, insertProcessorSecret } from '#db/access/processors.ts';
import { newId } from '#db/new-id.ts';
import { sealedColumns } from '#db/reseal.ts';
import { findSigningSecrets } from '#db/webhooks/webhook-endpoints.ts';
import { runAdmin } from '../support/stack/admin.ts';
import { startApi, type TestApi } from '../support/stack/app.ts';

interface Resealed {
  table: string;
  resealed: number;
  current: number;
}

describe('secrets reseal', () => {
  const [old, next] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  let api: TestApi;
  let endpoint: { id: string; secret: string };
  before(async () => {
    api = await startApi({
      routes: createAccountRoutes,
      env: { SECRETS_KEY: old, WEBHOOKS_ALLOW_LOOPBACK: '1' },
    });
    endpoint = await createEndpoint('first');
    await registerProcessor();
  });
  after(() => api.stop());

  async function createEndpoint(key: string): Promise<{ id: string; secret: string }> {
    const answer = await fetch(`${api.url}/v1/webhook-endpoints`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await api.takeToken()}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ url: 'http://127.0.0.1:9/', events: ['*'] }),
    });
    assert.equal(answer.status, 201);
    return (await answer.json()) as { id: string; secret: string };
  }

  async function registerProcessor(): Promise<void> {
    const id = newId('processor');
    const row = {
      id,
      kind: 'sandbox',
      name: 'A',
      mode: 'test',
      externalAccount: 'a',
      url: null,
      options: {},
    } as const;
    await insertProcessor(api.db, parseKeys(old), { ...row, key: 'the-key-of-a-processor' });
    const secret = { id: newId('processorSecret'), processorId: id, secret: 'signs-its-notifications' };
    await insertProcessorSecret(api.db, parseKeys(old), secret);
  }

  const parseKeys = (text: string): SecretsKeys => parseSecretsKeys(text)!;
  const reseal = (text: string) =>
    runAdmin({ DATABASE_URL: api.config.databaseUrl, SECRETS_KEY: text }, ['secrets', 'reseal', '--json']);
  const secretsUnder = async (text: string) => {
    const found = await findSigningSecrets(api.db, parseKeys(text), endpoint.id);
    return found.map(({ secret }) => secret);
  };

  it('knows every column that holds what is sealed', async () => {
    const { rows } = await api.db.raw<{ rows: { name: string }[] }>(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = current_schema() and data_type = 'bytea' order by 1`,
    );
    const hashes = [/_hash$/, /\.hash$/, /\.fingerprint$/, /\.tag$/, /\.response_body$/];
    const others = rows.map(({ name }) => name).filter((name) => !hashes.some((hash) => hash.test(name)));
    const known = sealedColumns.map(({ table, column }) => `${table}.${column}`);
    assert.deepEqual(others.toSorted(), known.toSorted());
  });

  it('reseals all under the first key, and only once', async () => {
    const both = `new:${next},old:${old}`;
    const { code, stdout, stderr } = await reseal(both);
    assert.equal(code, 0, stderr);
    const done = JSON.parse(stdout) as Resealed[];
    assert.deepEqual(
      done.map(({ table, resealed, current }) => [table, resealed > 0, current]),
      [
        ['signing_keys', true, 0],
        ['webhook_secrets', true, 0],
        ['processors', true, 0],
        ['processor_secrets', true, 0],
        ['idempotency_keys', true, 0],
      ],
    );
    assert.deepEqual(await secretsUnder(`new:${next}`), [endpoint.secret]);
    await openSigningKeys(api.db, parseKeys(`new:${next}`));
    await assert.rejects(secretsUnder(`old:${old}`), /under the key new, which SECRETS_KEY does not have/);
    const again = JSON.parse((await reseal(`new:${next}`)).stdout) as Resealed[];
    assert.ok(
      again.every(({ resealed, current }) => resealed === 0 && current > 0),
      JSON.stringify(again),
    );
  });

  it('says where a key was taken away too early', async () => {
    const { code, stderr } = await reseal(`other:${old}`);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /secrets in signing_keys, webhook_secrets, processors, processor_secrets, idempotency_keys open under no key/,
    );
  });
});
