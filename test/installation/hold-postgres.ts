import { join } from 'node:path';
import { startPostgres } from '#local/postgres/postgres.ts';

/** A launcher of Postgres alone, to be killed: says where it is, and waits. */

const folder = process.argv[2]!;
const { url, pid } = await startPostgres({
  dataDir: join(folder, 'postgres'),
  logFile: join(folder, 'postgres.log'),
  log: () => {},
});
process.send?.({ url, pid });
setInterval(() => {}, 60_000);
