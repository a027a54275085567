import type { TLSConfig } from '@temporalio/client';
import { rootCertificates } from 'node:tls';
import type { TemporalConnection } from '#temporal/client/connection.ts';
import { localTemporal } from './settings/service.ts';
import { readKeyPair, readPem, type Fault } from './tls-files.ts';

/** Settings that turn TLS on, since they need it. */
const needTls = [
  'TEMPORAL_TLS_CA',
  'TEMPORAL_TLS_CERT',
  'TEMPORAL_TLS_KEY',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_API_KEY',
];

/**
 * Reads the settings of the connection to Temporal, and the files that they name. Secret files are read before
 * (`startup/settings/secret-files.ts`).
 *
 * @param faults gets every setting that cannot be used. The connection must then not be used.
 */
export function readTemporalConnection(env: NodeJS.ProcessEnv, faults: Fault[]): TemporalConnection {
  const address = env['TEMPORAL_ADDRESS'] || localTemporal;
  const wanted = needTls.filter((name) => env[name]);
  const apiKey = readApiKey(env['TEMPORAL_API_KEY'], faults);
  if (!isTlsOn(env['TEMPORAL_TLS'], wanted, faults)) return { address };
  return { address, tls: readTls(env, faults), ...(apiKey && { apiKey }) };
}

/** Returns the settings by which connections to Temporal use TLS; none if they are plain. */
export function listTlsSettings(env: NodeJS.ProcessEnv): string[] {
  const isOff = env['TEMPORAL_TLS'] === '0' || env['TEMPORAL_TLS'] === 'false';
  return isOff ? [] : ['TEMPORAL_TLS', ...needTls].filter((name) => env[name]);
}

function isTlsOn(setting: string | undefined, wanted: string[], faults: Fault[]): boolean {
  const name = 'TEMPORAL_TLS';
  if (!setting) return wanted.length > 0;
  if (setting === '1' || setting === 'true') return true;
  if (setting !== '0' && setting !== 'false') faults.push({ name, message: 'must be 0, 1, true or false' });
  else if (wanted.length > 0)
    faults.push({ name, message: `is off, and ${wanted.join(', ')} cannot be used without TLS` });
  return false;
}

/** Refuses keys that no header can hold: the error of the first call would show such a key. */
function readApiKey(apiKey: string | undefined, faults: Fault[]): string | undefined {
  if (!apiKey || /^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  faults.push({ name: 'TEMPORAL_API_KEY', message: 'must be printable ASCII without blanks' });
  return undefined;
}

function readTls(env: NodeJS.ProcessEnv, faults: Fault[]): TLSConfig {
  const { TEMPORAL_TLS_CA: ca, TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key } = env;
  const serverNameOverride = env['TEMPORAL_TLS_SERVER_NAME'];
  // Node's roots: a small image has none of the operating system, which the native client would ask.
  const roots = ca
    ? readPem('certificate', 'TEMPORAL_TLS_CA', ca, faults)
    : Buffer.from(rootCertificates.join('\n'));
  if (Boolean(cert) !== Boolean(key)) {
    const [missing, given] = cert ? ['KEY', 'CERT'] : ['CERT', 'KEY'];
    faults.push({ name: `TEMPORAL_TLS_${missing}`, message: `is required with TEMPORAL_TLS_${given}` });
  }
  const clientCertPair =
    cert && key
      ? readKeyPair(
          { name: 'TEMPORAL_TLS_CERT', file: cert },
          { name: 'TEMPORAL_TLS_KEY', file: key },
          faults,
        )
      : null;
  return {
    ...(roots && { serverRootCACertificate: roots }),
    ...(serverNameOverride && { serverNameOverride }),
    ...(clientCertPair && { clientCertPair }),
  };
}
