import type { TestApi, TestClient } from '../../stack/app.ts';

/** What the issuer answers: a token, an error, or what a token is good for. */
export interface IssuerAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { access_token?: string; refresh_token?: string; error?: string };
}

/** POSTs a form to one of the issuer's endpoints. */
export async function postForm(
  url: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<IssuerAnswer> {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form), headers });
  const text = await answer.text();
  const body = (text === '' ? {} : JSON.parse(text)) as IssuerAnswer['body'];
  return { status: answer.status, headers: answer.headers, body };
}

/** How a client with a secret names itself in a form. */
export function inForm({ id, secret }: Pick<TestClient, 'id' | 'secret'>): Record<string, string> {
  return { client_id: id, client_secret: secret };
}

/** How it does by HTTP Basic. */
export function inBasic({ id, secret }: Pick<TestClient, 'id' | 'secret'>): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

/** The issuer as one client uses it. */
export function issuerFor(api: Pick<TestApi, 'url'>, client: Pick<TestClient, 'id' | 'secret'>) {
  const post = (path: string, form: Record<string, string>) =>
    postForm(`${api.url}/oauth2/${path}`, { ...inForm(client), ...form });
  return {
    take: (scope?: string) => post('token', { grant_type: 'client_credentials', ...(scope && { scope }) }),
    refresh: (token: string, scope?: string) =>
      post('token', { grant_type: 'refresh_token', refresh_token: token, ...(scope && { scope }) }),
    introspect: (token: string) => post('introspect', { token }),
    revoke: (token: string, hint?: string) =>
      post('revoke', { token, ...(hint && { token_type_hint: hint }) }),
  };
}
