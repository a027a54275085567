import pg from 'pg';
import { LauncherError } from './processes/processes.ts';

/** Returns the reason of a failed connection. Attempts on several addresses are wrapped without a message. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return reason(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** Throws a {@link LauncherError} unless the database of DATABASE_URL answers. */
export async function requireDatabase(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
  } catch (error) {
    const { host, pathname } = new URL(databaseUrl);
    throw new LauncherError(
      `DATABASE_URL: ${host}${pathname} does not answer (${reason(error)}): start that server or mend the URL, ` +
        'or unset it to use the embedded PostgreSQL',
    );
  } finally {
    await client.end().catch(() => {});
  }
}
