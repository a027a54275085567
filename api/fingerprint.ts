import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * SHA-256 over method, concrete path and the body as sent, in canonical form (RFC 8785): the order of members
 * and the spelling of numbers make no other request, another path or any other value does.
 */
export function fingerprint(method: string, path: string, body: unknown): Buffer {
  return hash('sha256', `${method}\n${path}\n${canonicalize(body ?? null) ?? ''}`, 'buffer');
}

export function sha256Hex(text: string): string {
  return hash('sha256', text);
}
