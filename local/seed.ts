import { createHash } from 'node:crypto';
import pg from 'pg';
import { scopes } from '../api/route.ts';
import type { DemoClient, LocalSecrets } from './secrets.ts';

/** Puts the accounts `demo` and `other`, each with a client that may do everything, where they are not yet. */
export async function seedDemoAccounts(databaseUrl: string, secrets: LocalSecrets): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await insertDemoClient(client, 'demo', secrets.demo);
    await insertDemoClient(client, 'other', secrets.other);
  } finally {
    await client.end();
  }
}

async function insertDemoClient(client: pg.Client, name: string, demo: DemoClient): Promise<void> {
  await client.query('insert into accounts (id, name) values ($1, $2) on conflict do nothing', [
    demo.account,
    name,
  ]);
  await client.query(
    `insert into oauth_clients (id, account_id, name, secret_hash, scopes) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [demo.clientId, demo.account, name, sha256(demo.clientSecret), scopes],
  );
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
