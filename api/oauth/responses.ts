import type { Answer } from '../route.ts';

/** The codes of RFC 6749 §5.2 that this issuer answers. */
export type OAuthErrorCode =
  'invalid_request' | 'invalid_client' | 'invalid_scope' | 'unauthorized_client' | 'unsupported_grant_type';

/** A refusal in OAuth's own format. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;
  readonly status: number;

  /** @param message for the caller: the characters that RFC 6749 §5.2 allows, so no quotes or backslashes. */
  constructor(code: OAuthErrorCode, message: string, status = code === 'invalid_client' ? 401 : 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** RFC 6749 §5.1: what holds a token is stored nowhere. */
export function answerSecretJson(status: number, body: object, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      Pragma: 'no-cache',
      ...headers,
    },
    body,
  };
}

/** What every caller may read, and keep for some minutes. */
export function answerPublicJson(body: object): Answer {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' },
    body,
  };
}

export function answerOAuthError({ code, status, message }: OAuthError): Answer {
  // RFC 9110 §11.6.1: every 401 names a scheme that would be taken.
  const headers: Record<string, string> =
    status === 401 ? { 'WWW-Authenticate': 'Basic realm="payments"' } : {};
  return answerSecretJson(status, { error: code, error_description: message }, headers);
}
