import type { TLSConfig } from '@temporalio/client';
import { rootCertificates } from 'node:tls';
import type { TemporalConnection } from '#temporal/client/connection.ts';
import { readKeyPair, readPem, type Fault } from './tls-files.ts';

/** Each of them needs TLS, and so turns it on. */
const needTls = [
  'TEMPORAL_TLS_CA',
  'TEMPORAL_TLS_CERT',
  'TEMPORAL_TLS_KEY',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_API_KEY',
];

/**
 * The settings of the connection to Temporal, with the files that they name. Secrets that lie in files are read already
 * (`startup/secret-files.ts`).
 *
 * @param faults gets all that cannot be used; the connection is then not for use.
 */
export function readTemporalConnection(env: NodeJS.ProcessEnv, faults: Fault[]): TemporalConnection {
  const address = env['TEMPORAL_ADDRESS'] || '127.0.0.1:7233';
  const wanted = needTls.filter((name) => env[name]);
  const apiKey = readApiKey(env['TEMPORAL_API_KEY'], faults);
  if (!isTlsOn(env['TEMPORAL_TLS'], wanted, faults)) return { address };
  return { address, tls: readTls(env, faults), ...(apiKey && { apiKey }) };
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

/** It becomes a header: what no header holds would else be told, with the key, by the error of the first call. */
function readApiKey(apiKey: string | undefined, faults: Fault[]): string | undefined {
  if (!apiKey || /^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  faults.push({ name: 'TEMPORAL_API_KEY', message: 'must be printable ASCII without blanks' });
  return undefined;
}

function readTls(env: NodeJS.ProcessEnv, faults: Fault[]): TLSConfig {
  const { TEMPORAL_TLS_CA: ca, TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key } = env;
  const serverNameOverride = env['TEMPORAL_TLS_SERVER_NAME'];
  // The native client would ask the operating system for roots, which a small image has none of.
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
