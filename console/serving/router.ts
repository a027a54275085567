import { Router } from '@koa/router';
import type { Middleware } from 'koa';
import { Payments } from '#client/src/index.ts';
import { ProblemError } from '#domain/problems.ts';
import type { Scope } from '#domain/scopes.ts';
import type { Context, RequestState } from '#http/context.ts';
import { outgoingTrace } from '#telemetry/spans.ts';
import type { ConsoleConfig } from '../config.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { Links, Visit } from '../page.ts';
import type { Screens } from '../pages.ts';
import { leadTo, toOwnAddress } from '../session/own-address.ts';
import { may, SessionEnded, type SignedIn } from '../session/session.ts';
import { toTraceParent } from '../session/token-endpoint.ts';
import { ActionServer } from './actions.tsx';
import { readForm } from './forms.ts';
import { listEntries, renderDocument, sendHtml } from './documents.tsx';
import { createPageServer, EventNews } from './pages.tsx';

type Serve = (ctx: Context, visit: Visit, form: URLSearchParams) => Promise<void>;

/** A path template, and how each method of it is served. */
interface Resource {
  template: string;
  scope: Scope | null;
  methods: Map<string, Serve>;
}

/** Mounts pages, actions and handlers. All of them need a session; whoever has none is answered by `answerStranger`. */
export function createRouter(deps: ConsoleDeps, screens: Screens): Middleware<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  for (const resource of collectResources(deps, screens))
    router.all(resource.template.replaceAll(/\{(\w+)\}/g, ':$1'), (ctx) =>
      serve(ctx as Context, ctx.params, resource, deps),
    );
  const dispatch = router.routes() as unknown as Middleware<RequestState>;
  const unknown: Resource = { template: 'none', scope: null, methods: new Map() };
  return (ctx) => dispatch(ctx, () => serve(ctx, {}, unknown, deps));
}

/** Words in a template come before parameters, since `/webhooks/{id}` matches `/webhooks/new` too. */
function collectResources(deps: ConsoleDeps, { pages, actions, handlers }: Screens): Resource[] {
  const news = new EventNews();
  const resources: Resource[] = [
    ...pages.map((page): Resource => {
      const methods = new Map([['GET', createPageServer(page, deps, news)]]);
      return { template: page.path, scope: page.scope, methods };
    }),
    ...actions.map((action): Resource => {
      const server = new ActionServer(action, deps);
      const served: Serve = (ctx, visit, form) => server.serve(ctx, visit, form);
      const methods = new Map<string, Serve>([
        ['GET', served],
        ['POST', served],
      ]);
      return { template: action.path, scope: action.scope, methods };
    }),
    ...handlers.map((handler): Resource => {
      const serveIt: Serve = (ctx, visit, form) =>
        handler.handle(ctx, visit, form, (title, content) =>
          sendHtml(ctx, 200, renderDocument({ title, visit, section: null }, content)),
        );
      return { template: handler.path, scope: handler.scope, methods: new Map([[handler.method, serveIt]]) };
    }),
  ];
  const parameters = ({ template }: Resource) => template.split('{').length;
  return resources.toSorted((a, b) => parameters(a) - parameters(b));
}

async function serve(
  ctx: Context,
  params: Record<string, string>,
  { template, scope, methods }: Resource,
  deps: ConsoleDeps,
): Promise<void> {
  ctx.state.route = template;
  try {
    const signedIn = await deps.signIn.findSession(ctx);
    if (!signedIn) return await deps.signIn.answerStranger(ctx);
    const { session } = signedIn;
    ctx.state.accountId = session.account?.id ?? null;
    ctx.state.memberId = session.member.id;
    const visit = createVisit(ctx, signedIn, params, deps);
    // A page about an error has the header of this person too.
    Object.assign(ctx.state, { visit });
    if (scope !== null && !may(session, scope) && ctx.path === '/') return leadHome(ctx, visit);
    if (scope !== null && !may(session, scope))
      throw new ProblemError('insufficient_scope', noRole(session.role));
    const handle = methods.get(ctx.method === 'HEAD' ? 'GET' : ctx.method);
    if (!handle) throw refuseMethod(methods);
    await handle(ctx, visit, await readForm(ctx));
  } catch (error) {
    if (!(error instanceof SessionEnded)) throw error;
    await deps.signIn.answerStranger(ctx);
  }
}

/** Operators have no overview of an account: `/` leads to the first screen that a person may see. */
function leadHome(ctx: Context, visit: Visit): void {
  const [home] = listEntries(visit);
  if (!home) throw new ProblemError('insufficient_scope', noRole(visit.session.role));
  leadTo(ctx, toOwnAddress(home.path));
}

function noRole(role: string): { detail: string } {
  return { detail: `Your role here is ${role}, which may not see this page.` };
}

function refuseMethod(methods: ReadonlyMap<string, Serve>): ProblemError {
  if (methods.size === 0) return new ProblemError('not_found');
  const allowed = [...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return new ProblemError('method_not_allowed', { headers: { Allow: allowed.join(', ') } });
}

/** A second attempt reaches another process of the API; more would keep a person waiting. */
const maxRetries = 1;

/** Describes one request of a signed-in person, with a client that acts for them. */
function createVisit(
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
