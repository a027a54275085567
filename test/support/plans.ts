import assert from 'node:assert/strict';
import type { Database } from '#db/knex.ts';

/**
 * Returns how Postgres runs a prepared statement, a node of the plan a line. No table is read whole and nothing is
 * sorted if there is another way, so that a small table shows what is done with a large one.
 *
 * @param db a pool of one connection, on which the statement was run.
 */
export async function readPlan(db: Database, name: string): Promise<string> {
  const { rows } = await db.raw<{ rows: { statement: string }[] }>(
    'select statement from pg_prepared_statements where name = ?',
    [name],
  );
  assert.ok(rows[0], `${name} was not prepared`);
  const setting = async (value: string) => {
    for (const name of ['seqscan', 'bitmapscan', 'sort']) await db.raw(`set enable_${name} = ${value}`);
  };
  try {
    await setting('off');
    const connection = await db.client.acquireConnection();
    try {
      const plan = await connection.query(`explain (generic_plan) ${rows[0].statement}`);
      return plan.rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
    } finally {
      await db.client.releaseConnection(connection);
    }
  } finally {
    await setting('default');
  }
}
