import { z } from 'zod';
import { withSecretFiles } from '#startup/secret-files.ts';

const loopbackHosts = new Set(['127.0.0.1', '::1', 'localhost']);

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

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
}

/** @throws {Error} whose message names every fault, a line each. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const given = Object.fromEntries(
    Object.entries(withSecretFiles(env).env).filter(([, value]) => value !== ''),
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
  };
}
