/** Content-Type of everything under `/v1` that is not a problem. */
export const jsonType = 'application/json; charset=utf-8';

/** RFC 9457 §3. */
export const problemType = 'application/problem+json; charset=utf-8';

/**
 * Returns the media type and charset of a Content-Type header in lower case. Returns `null` if it is malformed. Many
 * clients write `utf8` for `utf-8`, which is the name that IANA registered.
 */
export function parseMediaType(header: string): { type: string; charset: string | null } | null {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type)) return null;
  const parameter = parameters.find((given) => given.startsWith('charset='));
  const charset = parameter?.slice('charset='.length).replace(/^"(.*)"$/, '$1') ?? null;
  return { type, charset: charset === 'utf8' ? 'utf-8' : charset };
}
