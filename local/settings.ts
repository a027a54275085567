import { join } from 'node:path';
import type { PortName } from './processes/ports.ts';
import type { LocalSecrets } from './secrets.ts';
import { stripeEnvironment } from './stripe.ts';

/** The address of each part, decided before anything starts, since parts need each other's. */
export interface Addresses {
  /** Undefined until the embedded database is up. */
  databaseUrl: string | undefined;
  temporalAddress: string;
  temporalNamespace: string;
  /** Null when Temporal runs elsewhere, or has none. */
  temporalUi: string | null;
  processorUrl: string;
  apiUrl: string;
}

/** Uses the addresses of the environment; all others are ours, on the chosen ports. */
export function buildAddresses(given: NodeJS.ProcessEnv, ports: Record<PortName, number>): Addresses {
  const hasUi = !given['TEMPORAL_ADDRESS'] && given['TEMPORAL_STORE'] !== 'postgres';
  return {
    databaseUrl: given['DATABASE_URL'] || undefined,
    temporalAddress: given['TEMPORAL_ADDRESS'] || `127.0.0.1:${ports.temporal}`,
    temporalNamespace: given['TEMPORAL_NAMESPACE'] || 'payments',
    temporalUi: hasUi ? `http://127.0.0.1:${ports.temporalUi}` : null,
    processorUrl: given['PROCESSOR_URL'] || `http://127.0.0.1:${ports.processor}`,
    apiUrl: apiUrlAt(given, ports.api),
  };
}

/** Returns the API's own address, even if PUBLIC_URL is another. */
export function apiUrlAt(given: NodeJS.ProcessEnv, port: number): string {
  const host = given['HOST'] || '127.0.0.1';
  return `${given['TLS_CERT'] ? 'https' : 'http'}://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
}

/** Returns the whole environment of worker and API: the given one, completed. */
export function buildEnvironment(
  given: NodeJS.ProcessEnv,
  addresses: Addresses,
  secrets: LocalSecrets,
  localDir: string,
): NodeJS.ProcessEnv {
  const ours = {
    HOST: '127.0.0.1',
    PORT: new URL(addresses.apiUrl).port,
    DATABASE_URL: addresses.databaseUrl,
    TEMPORAL_ADDRESS: addresses.temporalAddress,
    TEMPORAL_NAMESPACE: addresses.temporalNamespace,
    PROCESSOR_URL: addresses.processorUrl,
    PROCESSOR_SECRET: secrets.processorSecret,
    SECRETS_KEY: secrets.secretsKey,
    WEBHOOKS_ALLOW_LOOPBACK: '1',
  };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  return { ...ours, ...set, PORT: ours.PORT, LOCAL_DIR: localDir };
}

/** Returns the sandbox processor's environment. PORT and HOST are its own there. */
export function processorEnvironment(
  env: NodeJS.ProcessEnv,
  addresses: Addresses,
  secrets: LocalSecrets,
  localDir: string,
): NodeJS.ProcessEnv {
  return {
    ...stripeEnvironment(env, secrets.stripe, addresses.apiUrl),
    ...env,
    HOST: '127.0.0.1',
    PORT: new URL(addresses.processorUrl).port,
    PROCESSOR_STORE: env['PROCESSOR_STORE'] || join(localDir, 'processor', 'journal.jsonl'),
    PROCESSOR_NOTIFY_URL: env['PROCESSOR_NOTIFY_URL'] || `${addresses.apiUrl}/processor/notifications`,
  };
}
