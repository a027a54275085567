import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A setting that cannot be used, and why. */
export interface Fault {
  name: string;
  message: string;
}

/** The kinds of files that TLS uses. */
const kinds = {
  certificate: { article: 'a certificate', parse: (pem: Buffer) => new X509Certificate(pem) },
  key: { article: 'a private key without a passphrase', parse: createPrivateKey },
};

/**
 * Reads and checks the PEM file that a setting names. Returns `null` after a fault, which never shows the content of the
 * file.
 *
 * @param name the setting, as the fault names it.
 */
export function readPem(
  kind: keyof typeof kinds,
  name: string,
  file: string,
  faults: Fault[],
): Buffer | null {
  let pem: Buffer;
  try {
    pem = readFileSync(file);
  } catch (error) {
    faults.push({ name, message: `${file} cannot be read (${(error as NodeJS.ErrnoException).code})` });
    return null;
  }
  try {
    kinds[kind].parse(pem);
    return pem;
  } catch {
    faults.push({ name, message: `${file} is not ${kinds[kind].article} in PEM` });
    return null;
  }
}

/** Reads a certificate of our own with its key. Returns `null` after a fault. */
export function readKeyPair(
  certificate: { name: string; file: string },
  key: { name: string; file: string },
  faults: Fault[],
): { crt: Buffer; key: Buffer } | null {
  const crt = readPem('certificate', certificate.name, certificate.file, faults);
  const pem = readPem('key', key.name, key.file, faults);
  if (!crt || !pem) return null;
  if (new X509Certificate(crt).checkPrivateKey(createPrivateKey(pem))) return { crt, key: pem };
  faults.push({ name: key.name, message: `${key.file} is not the key of ${certificate.file}` });
  return null;
}
