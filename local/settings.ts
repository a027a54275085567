import { join } from 'node:path';
import type { PortName } from './processes/ports.ts';
import type { ConsoleSecrets, LocalSecrets } from './secrets.ts';
import { stripeEnvironment } from './stripe.ts';

/** The address of each part, decided before anything starts, since parts need each other's. */
export interface Addresses {
  /** Undefined until the embedded database is up. */
  databaseUrl: string | undefined;
  temporalAddress: string;
  temporalNamespace: string;
  /** Our namespace in it: the UI opens on another one. Null when Temporal runs elsewhere, or has none. */
  temporalUi: string | null;
  processorUrl: string;
  apiUrl: string;
  consoleUrl: string;
}

/** Uses the addresses of the environment; all others are ours, on the chosen ports. */
export function buildAddresses(given: NodeJS.ProcessEnv, ports: Record<PortName, number>): Addresses {
  const hasUi = !given['TEMPORAL_ADDRESS'] && given['TEMPORAL_STORE'] !== 'postgres';
  const temporalNamespace = given['TEMPORAL_NAMESPACE'] || 'payments';
  return {
    databaseUrl: given['DATABASE_URL'] || undefined,
    temporalAddress: given['TEMPORAL_ADDRESS'] || `127.0.0.1:${ports.temporal}`,
    temporalNamespace,
    temporalUi: hasUi
      ? `http://127.0.0.1:${ports.temporalUi}/namespaces/${encodeURIComponent(temporalNamespace)}`
      : null,
    processorUrl: given['PROCESSOR_URL'] || `http://127.0.0.1:${ports.processor}`,
    apiUrl: apiUrlAt(given, ports.api),
    consoleUrl: `http://127.0.0.1:${ports.console}`,
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

/** Settings of the whole stack that the console reads too. */
const sharedWithConsole = ['PATH', 'NODE_ENV', 'LOG_LEVEL', 'PUBLIC_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT'];

/** Returns the console's environment: it is given no secret but its own. */
export function consoleEnvironment(
  env: NodeJS.ProcessEnv,
  { apiUrl, consoleUrl, temporalUi }: Addresses,
  { clientId, clientSecret, key }: ConsoleSecrets,
): NodeJS.ProcessEnv {
  const isOwn = (name: string) => name.startsWith('CONSOLE_') || sharedWithConsole.includes(name);
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => isOwn(name) && value !== ''),
  );
  return {
    CONSOLE_URL: consoleUrl,
    CONSOLE_API_URL: apiUrl,
    CONSOLE_CLIENT_ID: clientId,
    ...(given['CONSOLE_CLIENT_SECRET_FILE'] === undefined && { CONSOLE_CLIENT_SECRET: clientSecret }),
    ...(given['CONSOLE_KEY_FILE'] === undefined && { CONSOLE_KEY: key }),
    ...(temporalUi !== null && { TEMPORAL_UI_URL: temporalUi }),
    ...given,
    CONSOLE_HOST: '127.0.0.1',
    CONSOLE_PORT: new URL(consoleUrl).port,
  };
}
