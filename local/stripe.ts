import {
  findProcessor,
  insertProcessor,
  insertProcessorSecret,
  useProcessor,
} from '#db/access/processors.ts';
import { parseSecretsKeys, type SecretsKeys } from '#db/encryption.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { stripeAccount } from '#sandbox/settings.ts';
import { LauncherError } from './processes/processes.ts';
import type { LocalSecrets, StripeSecrets } from './secrets.ts';

/** `PROCESSOR=stripe`: the demo accounts use a processor of the kind `stripe`, which is the sandbox of this stack. */

/** Returns whether the demo accounts use Stripe's dialect. (Default: the sandbox's own) @throws {LauncherError} */
export function usesStripe(env: NodeJS.ProcessEnv): boolean {
  const name = env['PROCESSOR'] || 'sandbox';
  if (name !== 'stripe' && name !== 'sandbox')
    throw new LauncherError(`PROCESSOR is sandbox or stripe, and not ${name}`);
  return name === 'stripe';
}

/** Requires settings that fit together, before anything is started. @throws {LauncherError} */
export function requireOwnSandbox(given: NodeJS.ProcessEnv): void {
  if (usesStripe(given) && given['PROCESSOR_URL'])
    throw new LauncherError("PROCESSOR=stripe uses the stack's own sandbox: leave PROCESSOR_URL out");
}

/** Returns what the sandbox is started with, so that it knows the key, and where its events go. */
export function stripeEnvironment(
  env: NodeJS.ProcessEnv,
  { processor, key, webhookSecret }: StripeSecrets,
  apiUrl: string,
): NodeJS.ProcessEnv {
  const keys = { PROCESSOR_STRIPE_KEYS: key, PROCESSOR_STRIPE_WEBHOOK_SECRET: webhookSecret };
  if (!usesStripe(env)) return keys;
  return { ...keys, PROCESSOR_STRIPE_NOTIFY_URL: `${apiUrl}/processor/notifications/${processor}` };
}

async function register(
  db: Database,
  keys: SecretsKeys,
  { processor: id, secretId, key, webhookSecret }: StripeSecrets,
  url: string,
): Promise<void> {
  const own = { kind: 'stripe', name: "the sandbox, in Stripe's dialect", mode: 'test' } as const;
  await insertProcessor(db, keys, { id, ...own, externalAccount: stripeAccount, url, options: {}, key });
  await insertProcessorSecret(db, keys, { id: secretId, processorId: id, secret: webhookSecret });
}

/** The sandbox may have another port at each start. */
async function moveTo(db: Database, id: string, url: string): Promise<void> {
  await db('processors')
    .where({ id })
    .whereNot({ url })
    .update({ url, version: db.raw('version + 1') });
}

/**
 * Registers the sandbox as a processor of the kind `stripe`, and has the demo accounts use it. Without `PROCESSOR=stripe`
 * they use the built-in one again, and what the other one has taken is brought to its end.
 */
export async function seedStripe(
  databaseUrl: string,
  { env, secrets, url }: { env: NodeJS.ProcessEnv; secrets: LocalSecrets; url: string },
): Promise<void> {
  const db = createDatabase(databaseUrl, 1);
  try {
    const { processor: id } = secrets.stripe;
    const isKnown = (await findProcessor(db, id)) !== null;
    if (isKnown) await moveTo(db, id, url);
    if (!usesStripe(env)) {
      await db('account_processors').where({ processor_id: id }).delete();
      return;
    }
    if (!isKnown) await register(db, readKeys(env), secrets.stripe, url);
    for (const { account } of [secrets.demo, secrets.other]) await useProcessor(db, account, id, null);
  } finally {
    await db.destroy();
  }
}

function readKeys(env: NodeJS.ProcessEnv): SecretsKeys {
  const keys = parseSecretsKeys(env['SECRETS_KEY'] ?? '');
  if (keys) return keys;
  throw new LauncherError('SECRETS_KEY is not 32 bytes in base64, nor several of them with ids');
}
