import { z } from 'zod';
import { withSecretFiles } from '#startup/settings/secret-files.ts';

const loopbackHosts = new Set(['127.0.0.1', '::1', 'localhost']);

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

/** Keys in the form `sk_test_...` or `rk_test_...`, each with `:acct_...` behind it if it is not the first account's. */
const stripeKeys =
  /^[sr]k_test_[\x21-\x2b\x2d-\x39\x3b-\x7e]{8,}(?::acct_\w+)?(?:,[sr]k_test_[\x21-\x2b\x2d-\x39\x3b-\x7e]{8,}(?::acct_\w+)?)*$/;

const environment = z
  .object({
    /** 0: any free port. */
    PORT: integer(0, 65_535),
    HOST: z.string().default('127.0.0.1'),
    SANDBOX_ALLOW_NETWORK: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
    PROCESSOR_STORE: z.string(),
    PROCESSOR_SECRET: z
      .string()
      .min(16, 'must be at least 16 characters')
      .regex(/^[\x21-\x7e]*$/, 'must be visible ASCII, since it goes into a header'),
    PROCESSOR_NOTIFY_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional(),
    PROCESSOR_ASYNC_MS: integer(0, 3_600_000).default(2000),
    PROCESSOR_KEYS_MS: integer(0, 30 * 86_400_000).default(86_400_000),
    PROCESSOR_AUTHORIZATION_MS: integer(100, 30 * 86_400_000).default(7 * 86_400_000),
    PROCESSOR_STRIPE_KEYS: z
      .string()
      .regex(stripeKeys, 'must be sk_test_... keys, with a comma between them')
      .optional(),
    PROCESSOR_STRIPE_NOTIFY_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional(),
    PROCESSOR_STRIPE_WEBHOOK_SECRET: z
      .string()
      .regex(/^whsec_[\x21-\x7e]{8,}$/, 'must be whsec_...')
      .optional(),
  })
  .refine((env) => loopbackHosts.has(env.HOST) || env.SANDBOX_ALLOW_NETWORK === '1', {
    path: ['HOST'],
    message:
      'is not loopback, and anyone who reaches a sandbox can move its money: SANDBOX_ALLOW_NETWORK=1 allows it',
  });

export interface Settings {
  port: number;
  host: string;
  /** The journal's file. */
  store: string;
  /** Authenticates the callers, and signs notifications. */
  secret: string;
  /** Where notifications go. */
  notifyUrl: string | null;
  /** How long an asynchronous outcome takes. */
  asyncMs: number;
  stripe: StripeSettings;
}

/** The front that speaks Stripe's dialect. */
export interface StripeSettings {
  /** The account behind each secret key. */
  accounts: Map<string, string>;
  /** Where events go. */
  notifyUrl: string | null;
  /** Signs events. */
  webhookSecret: string;
  /** How long answers are kept under their keys; 0: not at all. */
  keysMs: number;
  /** How long an authorization lasts. */
  authorizationMs: number;
}

/** The account of a key that names none. */
export const stripeAccount = 'acct_1SandboxOfThisHost';

function readAccounts(data: z.output<typeof environment>): Map<string, string> {
  const { PROCESSOR_STRIPE_KEYS: keys, PROCESSOR_SECRET: secret } = data;
  if (keys === undefined) return new Map([[`sk_test_${secret}`, stripeAccount]]);
  return new Map(
    keys.split(',').map((one) => {
      const [key = '', account = stripeAccount] = one.split(':');
      return [key, account];
    }),
  );
}

/** @throws {Error} whose message names every fault, a line each. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const given = Object.fromEntries(
    Object.entries(withSecretFiles(env, ['PROCESSOR_SECRET']).env).filter(([, value]) => value !== ''),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path: [name = ''], message }) =>
      given[String(name)] === undefined ? `${String(name)} is required` : `${String(name)} ${message}`,
    );
    throw new Error(lines.join('\n'));
  }
  const { data } = parsed;
  return {
    port: data.PORT,
    host: data.HOST,
    store: data.PROCESSOR_STORE,
    secret: data.PROCESSOR_SECRET,
    notifyUrl: data.PROCESSOR_NOTIFY_URL ?? null,
    asyncMs: data.PROCESSOR_ASYNC_MS,
    stripe: {
      accounts: readAccounts(data),
      notifyUrl: data.PROCESSOR_STRIPE_NOTIFY_URL ?? null,
      webhookSecret: data.PROCESSOR_STRIPE_WEBHOOK_SECRET ?? `whsec_${data.PROCESSOR_SECRET}`,
      keysMs: data.PROCESSOR_KEYS_MS,
      authorizationMs: data.PROCESSOR_AUTHORIZATION_MS,
    },
  };
}
