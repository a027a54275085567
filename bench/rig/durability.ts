import type { Database } from '#db/knex.ts';

/** @throws if Postgres may lose a commit: nothing that it may lose is compared. */
export async function requireDurability(db: Database): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    const { rows } = await db.raw<{ rows: Record<string, string>[] }>(`show ${setting}`);
    if (rows[0]?.[setting] !== 'on') throw new Error(`Postgres runs with ${setting} ${rows[0]?.[setting]}`);
  }
}
