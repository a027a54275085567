/** ECDSA on P-256 with SHA-256 (RFC 7518 §3.4): the only algorithm of our issuer. */
export const algorithm = 'ES256';

/** How long an access token is valid, in seconds. */
export const tokenLifetime = 600;
