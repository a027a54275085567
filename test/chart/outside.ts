import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { startPostgres } from '#local/postgres/postgres.ts';
import { findTemporal, startTemporal } from '#local/temporal/temporal.ts';

/*
 * What the chart does not install: an empty Postgres, and Temporal without the namespace of payments. Both listen on loopback,
 * so their ports are passed on from an address that pods reach. Takes a folder and that address; without them it only gets
 * Temporal, while there is a network. Writes the Secret of the chart as `secret.json` when both serve.
 */

const log = (line: string) => console.log(line);
const binary = await findTemporal(log, process.env, new AbortController().signal);
const [folder, address] = process.argv.slice(2);
if (!folder || !address) process.exit(0);

const postgres = await startPostgres({
  dataDir: join(folder, 'postgres'),
  port: 15432,
  logFile: join(folder, 'postgres.log'),
  log,
});
const temporal = await startTemporal({
  binary,
  dbFile: join(folder, 'temporal/temporal.db'),
  port: 17233,
  uiPort: 18233,
  namespace: 'default',
  logFile: join(folder, 'temporal.log'),
});

function pass(port: number, to: number): void {
  createServer((from) => {
    const onward = connect(to, '127.0.0.1');
    from.pipe(onward).pipe(from);
    from.on('error', () => onward.destroy());
    onward.on('error', () => from.destroy());
  }).listen(port, address);
}
pass(5432, 15432);
pass(7233, 17233);

const url = new URL(postgres.url);
url.host = `${address}:5432`;
const stringData = {
  DATABASE_URL: url.href,
  SECRETS_KEY: randomBytes(32).toString('base64'),
  PROCESSOR_SECRET: randomBytes(32).toString('hex'),
};
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'payments' }, stringData };
writeFileSync(join(folder, 'secret.json'), JSON.stringify(secret), { mode: 0o600 });

process.once('SIGTERM', () => {
  void Promise.all([postgres.stop(), temporal.stop()]).then(() => process.exit(0));
});
