import { readKeyPair, readPem, type Fault } from './tls-files.ts';

/** The driver's own words; it verifies the certificate and the host's name with all but the first two. */
const modes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];

/**
 * Checks the TLS parameters of `DATABASE_URL`. The driver reads them at each connection only, and silently accepts an
 * unknown mode, or one that does not use the files.
 */
export function checkDatabaseTls(databaseUrl: string | undefined, faults: Fault[]): void {
  if (!databaseUrl || !URL.canParse(databaseUrl)) return;
  const name = 'DATABASE_URL';
  const { searchParams } = new URL(databaseUrl);
  const [mode, ca, cert, key] = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'].map((parameter) =>
    searchParams.get(parameter),
  );
  if (mode && !modes.includes(mode))
    faults.push({ name, message: `sslmode must be one of ${modes.join(', ')}` });
  if (mode === 'disable' && (ca || cert || key))
    faults.push({ name, message: 'sslmode=disable makes no use of sslrootcert, sslcert and sslkey' });
  if (mode === 'no-verify' && ca)
    faults.push({ name, message: 'sslmode=no-verify makes no use of sslrootcert: take verify-full' });
  if (ca) readPem('certificate', `${name} sslrootcert`, ca, faults);
  if (Boolean(cert) !== Boolean(key)) faults.push({ name, message: 'sslcert and sslkey go together' });
  if (cert && key)
    readKeyPair({ name: `${name} sslcert`, file: cert }, { name: `${name} sslkey`, file: key }, faults);
}
