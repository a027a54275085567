import { prepared, type Database } from './knex.ts';

/** A program that takes tokens for an account. */
export interface OAuthClient {
  id: string;
  accountId: string;
  /** `disabled` when the client or its account is. */
  status: 'active' | 'disabled';
  /** Hex SHA-256; `null` for a client without a secret. */
  secretHash: string | null;
  scopes: string[];
}

interface ClientRow {
  id: string;
  account_id: string;
  active: boolean;
  secret_hash: string | null;
  scopes: string[];
}

export async function findOAuthClient(db: Database, id: string): Promise<OAuthClient | null> {
  const [row] = await prepared<ClientRow>(
    db,
    'find-oauth-client',
    `select c.id, c.account_id, c.status = 'active' and a.status = 'active' as active, c.secret_hash, c.scopes
     from oauth_clients c join accounts a on a.id = c.account_id where c.id = $1`,
    [id],
  );
  if (!row) return null;
  return {
    id: row.id,
    accountId: row.account_id,
    status: row.active ? 'active' : 'disabled',
    secretHash: row.secret_hash,
    scopes: row.scopes,
  };
}
