import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '#db/new-id.ts';

/** An account to try things with, and the client that acts for it. */
export interface DemoClient {
  account: string;
  clientId: string;
  clientSecret: string;
}

/** Secrets that a deployment is given. The local stack makes them once. */
export interface LocalSecrets {
  /** 32 bytes in base64. */
  secretsKey: string;
  processorSecret: string;
  demo: DemoClient;
  /** A second account, so that ownership can be tried. */
  other: DemoClient;
}

const createDemoClient = (): DemoClient => ({
  account: newId('account'),
  clientId: newId('client'),
  clientSecret: randomBytes(32).toString('base64url'),
});

const createSecrets = (): LocalSecrets => ({
  secretsKey: randomBytes(32).toString('base64'),
  processorSecret: randomBytes(32).toString('base64url'),
  demo: createDemoClient(),
  other: createDemoClient(),
});

/** Returns the secrets of this local folder. Makes them on its first start, readable by its owner only. */
export function keepSecrets(localDir: string): LocalSecrets {
  const file = join(localDir, 'secrets.json');
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(createSecrets(), null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  }
  chmodSync(file, 0o600);
  return JSON.parse(readFileSync(file, 'utf8')) as LocalSecrets;
}
