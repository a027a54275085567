import { Payments } from '#client/src/index.ts';
import type { Context } from '#http/context.ts';
import { outgoingTrace } from '#telemetry/spans.ts';
import type { ConsoleConfig } from '../config.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { Links, Visit } from '../page.ts';
import type { SignedIn } from '../session/session.ts';
import { toTraceParent } from '../session/token-endpoint.ts';

/** A second attempt reaches another process of the API; more would keep a person waiting. */
const maxRetries = 1;

/** Describes one request of a signed-in person, with a client that acts for them. */
export function createVisit(
  ctx: Context,
  signedIn: SignedIn,
  params: Readonly<Record<string, string>>,
  { config, contact }: Pick<ConsoleDeps, 'config' | 'contact'>,
): Visit {
  const { traceId } = ctx.state;
  const api = new Payments({
    baseUrl: config.apiUrl,
    accessToken: () => signedIn.accessToken(),
    timeout: config.apiTimeoutMs,
    maxRetries,
    fetch: (input, init) => send(input, init, signedIn),
    onRequest: ({ headers }) =>
      headers.set('traceparent', outgoingTrace().traceparent ?? toTraceParent(traceId)),
    onAnswer: ({ status }) => {
      if (status !== null) contact.answeredAt = new Date();
    },
  });
  return {
    path: ctx.path,
    params,
    id: params['id'] ?? '',
    query: new URLSearchParams(ctx.querystring),
    session: signedIn.session,
    api,
    traceId,
    now: new Date(),
    timeZone: signedIn.timeZone,
    links: toLinks(config),
    canReadAccounts: config.outsideIssuer === null,
    canSwitchAccounts: config.outsideIssuer === null && config.oidc !== null,
  };
}

/** Sends a request of the client. A token that the API refuses is not sent a second time, by no other page either. */
async function send(
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
  signedIn: SignedIn,
): Promise<Response> {
  const answer = await fetch(input, init);
  const token = new Headers(init?.headers).get('authorization')?.replace(/^Bearer /, '');
  if (answer.status === 401 && token !== undefined) signedIn.dropToken(token);
  return answer;
}

function toLinks({ publicApiUrl, temporalUiUrl }: ConsoleConfig): Links {
  return { docs: `${publicApiUrl}/docs`, temporalUi: temporalUiUrl, apiUrl: publicApiUrl };
}
