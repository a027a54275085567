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

/** The sandbox as a processor of the kind `stripe`: the ids of its rows, and what the two sides share. */
export interface StripeSecrets {
  processor: string;
  secretId: string;
  key: string;
  webhookSecret: string;
}

/** The console's client, and the key of its cookies. */
export interface ConsoleSecrets {
  clientId: string;
  clientSecret: string;
  /** 32 bytes in base64. */
  key: string;
}

/** Secrets that a deployment is given. The local stack makes them once. */
export interface LocalSecrets {
  /** 32 bytes in base64. */
  secretsKey: string;
  processorSecret: string;
  stripe: StripeSecrets;
  /** By which `payments listen` signs what it forwards to a receiver on this machine. */
  webhookSecret: string;
  console: ConsoleSecrets;
  demo: DemoClient;
  /** A second account, so that ownership can be tried. */
  other: DemoClient;
}

const createDemoClient = (): DemoClient => ({
  account: newId('account'),
  clientId: newId('client'),
  clientSecret: randomBytes(32).toString('base64url'),
});

const createStripeSecrets = (): StripeSecrets => ({
  processor: newId('processor'),
  secretId: newId('processorSecret'),
  key: `sk_test_${randomBytes(24).toString('base64url')}`,
  webhookSecret: `whsec_${randomBytes(24).toString('base64url')}`,
});

const createConsoleSecrets = (): ConsoleSecrets => ({
  clientId: newId('client'),
  clientSecret: randomBytes(32).toString('base64url'),
  key: randomBytes(32).toString('base64'),
});

const createWebhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

const createSecrets = (): LocalSecrets => ({
  secretsKey: randomBytes(32).toString('base64'),
  processorSecret: randomBytes(32).toString('base64url'),
  stripe: createStripeSecrets(),
  webhookSecret: createWebhookSecret(),
  console: createConsoleSecrets(),
  demo: createDemoClient(),
  other: createDemoClient(),
});

/** Returns the secrets of this local folder. Makes them on its first start, readable by its owner only. */
export function keepSecrets(localDir: string): LocalSecrets {
  const file = join(localDir, 'secrets.json');
  if (!existsSync(file)) write(file, createSecrets());
  chmodSync(file, 0o600);
  return JSON.parse(readFileSync(file, 'utf8')) as LocalSecrets;
}

function write(file: string, secrets: LocalSecrets): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
