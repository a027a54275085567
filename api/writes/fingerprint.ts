import { createHash, hash, type Hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { createPauses } from '../json/pauses.ts';

/**
 * Returns the SHA-256 of method, concrete path and body, with the body in canonical form (RFC 8785). The order of members
 * and the spelling of numbers do not change it. Another path or another value does.
 */
export async function fingerprint(method: string, path: string, body: unknown): Promise<Buffer> {
  const head = `${method}\n${path}\n`;
  if (!hasManyRows(body)) return hash('sha256', `${head}${canonicalForm(body ?? null)}`, 'buffer');
  const sum = createHash('sha256').update(head);
  await addInTurns(sum, body);
  return sum.digest();
}

const manyRows = 100;

function hasManyRows(body: unknown): body is Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return false;
  return Object.values(body).some((member) => Array.isArray(member) && member.length > manyRows);
}

/** Adds the same text row by row, so that other requests are served in between. */
async function addInTurns(sum: Hash, body: Record<string, unknown>): Promise<void> {
  const pause = createPauses();
  sum.update('{');
  for (const [index, name] of Object.keys(body).toSorted(byCodeUnits).entries()) {
    sum.update(`${index > 0 ? ',' : ''}${canonicalForm(name)}:`);
    const member = body[name];
    if (!Array.isArray(member)) sum.update(canonicalForm(member));
    else {
      sum.update('[');
      for (const [row, value] of member.entries()) {
        sum.update(`${row > 0 ? ',' : ''}${canonicalForm(value)}`);
        await pause();
      }
      sum.update(']');
    }
  }
  sum.update('}');
}

/** RFC 8785 §3.2.3 */
function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** RFC 8785 refuses half of a surrogate pair. A row of a batch may hold one: only that row fails. */
function canonicalForm(body: unknown): string {
  try {
    return canonicalize(body) ?? '';
  } catch {
    return canonicalize(escapeHalfPairs(body)) ?? '';
  }
}

/** Escapes each text that holds half a pair, as JSON does. */
function escapeHalfPairs(value: unknown): unknown {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value) ? JSON.stringify(value) : value;
  if (Array.isArray(value)) return value.map(escapeHalfPairs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [escapeHalfPairs(name), escapeHalfPairs(member)]),
  );
}
