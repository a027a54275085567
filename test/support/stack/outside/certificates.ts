import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** Files of a certificate authority, and of a server at `localhost` and a client that it vouches for. */
export interface Certificates {
  ca: string;
  server: { cert: string; key: string };
  client: { cert: string; key: string };
}

/**
 * @param folder made here; none but the files lie in it.
 * @param authorityName the name of the one that certifies: two of one name are told apart by their signatures only.
 */
export async function makeCertificates(folder: string, authorityName: string): Promise<Certificates> {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, pem: string) => {
    const path = join(folder, name);
    writeFileSync(path, pem, { mode: 0o600 });
    return path;
  };
  const common = { algorithm: 'sha256', keyType: 'ec' } as const;
  const authority = await generate([{ name: 'commonName', value: authorityName }], {
    ...common,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const issue = async (name: string, usage: { serverAuth: true } | { clientAuth: true }) => {
    const issued = await generate([{ name: 'commonName', value: name }], {
      ...common,
      ca: { key: authority.private, cert: authority.cert },
      extensions: [
        { name: 'basicConstraints', cA: false },
        { name: 'keyUsage', digitalSignature: true },
        { name: 'extKeyUsage', ...usage },
        { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
      ],
    });
    return { cert: write(`${name}.crt`, issued.cert), key: write(`${name}.key`, issued.private) };
  };
  return {
    ca: write('ca.crt', authority.cert),
    server: await issue('localhost', { serverAuth: true }),
    client: await issue('payments', { clientAuth: true }),
  };
}
