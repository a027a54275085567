import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { CliError } from '../exits.ts';
import type { Connection } from '../session/connection.ts';
import { credentialsFile, isExposed, type Profile } from '../session/profiles.ts';
import { fine, warning, wrong, type Finding } from './findings.ts';
import { post, type Event } from './forward.ts';
import { newWebhookSecret } from '../session/login.ts';
import { checkMode, readClaims, readMode } from './mode.ts';

/** The set-up that is checked. */
export interface Setup {
  context: Context;
  connection: Connection;
  profile: Profile;
  /** The name of the profile whose secret it is; `null`: the secret is of the environment. */
  profileName: string | null;
  /** The API version and the scopes of the document of this command. */
  document: { version: string; scopes: string[] };
  /** A receiver to try; `null`: none. */
  webhook: { url: string; secret: string } | null;
}

/** Webhook libraries refuse what is five minutes off. */
const worstSkewMs = 5 * 60_000;
const smallSkewMs = 10_000;

/** Other users of the machine must not read the secret. */
export function checkFile({ context }: Setup): Finding[] {
  const file = credentialsFile(context);
  if (isExposed(context))
    return [wrong('credentials file', `Others can read ${file}. Run: chmod 600 ${file}`)];
  const source = context.env['PAYMENTS_CLIENT_SECRET']
    ? 'The environment has the credentials'
    : `They are in ${file}`;
  return [fine('credentials file', source)];
}

/** The service is there, and its clock agrees with ours. */
export async function checkService({ profile, context }: Setup): Promise<Finding[]> {
  const began = Date.now();
  let answer: Response;
  try {
    const timeout = AbortSignal.timeout(10_000);
    answer = await fetch(`${profile.url}/readyz`, {
      redirect: 'manual',
      signal: AbortSignal.any([context.signal, timeout]),
    });
  } catch (error) {
    const reason =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    const hint = /certificate|self.signed/i.test(reason)
      ? ' Name its certificate in NODE_EXTRA_CA_CERTS'
      : '';
    return [wrong('service', `${profile.url} cannot be reached: ${reason}.${hint}`)];
  }
  const ms = Date.now() - began;
  const isReady = answer.status === 200;
  return [
    isReady
      ? fine('service', `${profile.url} is ready; it answered in ${ms} ms`)
      : wrong(
          'service',
          `${profile.url}/readyz answered ${answer.status}. Is the address that of the service, and is it up?`,
        ),
    ...checkClock(answer.headers.get('date'), began + ms / 2),
  ];
}

/** `Date` has whole seconds. */
function checkClock(date: string | null, at: number): Finding[] {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs))
    return [warning('clock', 'The service sent no time, so the clocks were not compared')];
  const skew = Math.round((at - theirs - 500) / 1_000);
  const says = `This machine is ${Math.abs(skew)} s ${skew < 0 ? 'behind' : 'ahead of'} the service`;
  if (Math.abs(skew) * 1_000 >= worstSkewMs)
    return [wrong('clock', `${says}. Webhooks are refused after 5 minutes: set the clock, by NTP`)];
  if (Math.abs(skew) * 1_000 >= smallSkewMs) return [warning('clock', `${says}. Set the clock, by NTP`)];
  return [fine('clock', 'The clocks agree')];
}

/** The credentials are good, for which scopes, and for which money. */
export async function checkCredentials({ connection, document, profileName }: Setup): Promise<Finding[]> {
  let token: string;
  try {
    token = await connection.accessToken();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [wrong('credentials', error.message)];
  }
  const granted = (readClaims(token).scope ?? '').split(' ');
  const missing = document.scopes.filter((scope) => !granted.includes(scope));
  return [
    fine('credentials', `${connection.profile.clientId} gets tokens`),
    ...checkMode(readMode(token), connection.profile.url, profileName),
    missing.length === 0
      ? fine('scopes', 'The client has every scope')
      : warning('scopes', `The client lacks ${missing.join(', ')}. Ask the operator for what you need`),
  ];
}

/** The account's version is the one that this command was made for; and Node is one that it runs on. */
export async function checkVersions({ connection, document }: Setup): Promise<Finding[]> {
  const answer = await connection.request('GET', '/v1/charges', { query: { limit: '1' } });
  const version = answer.headers.get('api-version');
  const known = `this command knows ${document.version}`;
  const node = fine('node', `Node ${process.versions.node}`);
  if (answer.status === 401 || version === null)
    return [warning('version', `The service answered ${answer.status} to a read`), node];
  return [
    version === document.version
      ? fine('version', `The account is at API version ${version}, as is this command`)
      : warning('version', `The account is at API version ${version}, and ${known}`),
    node,
  ];
}

interface Endpoint {
  id: string;
  url: string;
  status: string;
  disabled_reason?: string | null;
  failing_since?: string | null;
}

/** Each endpoint of the account gets a test event, and takes it. */
export async function checkEndpoints({ connection, context }: Setup): Promise<Finding[]> {
  const answer = await connection.request('GET', '/v1/webhook-endpoints', { query: { limit: '100' } });
  if (answer.status === 403)
    return [warning('webhooks', 'The client may not read webhook endpoints, so they were not tested')];
  if (answer.status >= 400) return [warning('webhooks', `The list of endpoints answered ${answer.status}`)];
  const { data } = answer.body as { data: Endpoint[] };
  if (data.length === 0)
    return [warning('webhooks', 'The account has no webhook endpoint. To develop one: payments listen')];
  return Promise.all(data.map((endpoint) => checkEndpoint(connection, context.signal, endpoint)));
}

async function checkEndpoint(
  connection: Connection,
  signal: AbortSignal,
  endpoint: Endpoint,
): Promise<Finding> {
  const check = `webhook ${endpoint.id}`;
  if (endpoint.status !== 'enabled') {
    const reason = endpoint.disabled_reason ? ` (${endpoint.disabled_reason})` : '';
    return wrong(
      check,
      `${endpoint.url} is disabled${reason}. Mend it, then: payments webhook-endpoints update ${endpoint.id} --status enabled`,
    );
  }
  const sent = await connection.request('POST', `/v1/webhook-endpoints/${endpoint.id}:test`, {
    body: {},
    ifLost: 'Run payments doctor again',
  });
  if (sent.status >= 400)
    return warning(check, `No test event could be sent: the service answered ${sent.status}`);
  return untilTried(connection, signal, endpoint, (sent.body as { id: string }).id);
}

interface Delivery {
  status: string;
  attempts: { status?: number | null; response_status?: number | null; error?: string | null }[];
}

async function untilTried(
  connection: Connection,
  signal: AbortSignal,
  { id, url }: Endpoint,
  delivery: string,
): Promise<Finding> {
  const check = `webhook ${id}`;
  for (let looks = 0; looks < 80; looks += 1) {
    const { body } = await connection.request('GET', `/v1/webhook-deliveries/${delivery}`);
    const { status, attempts } = body as Delivery;
    if (status === 'delivered') return fine(check, `${url} took a test event`);
    if (attempts.length > 0)
      return wrong(
        check,
        `${url} did not take a test event. See why: payments webhook-deliveries get ${delivery}`,
      );
    await sleep(250, undefined, { signal });
  }
  return wrong(check, `The service has not tried ${url} within 20 s: other deliveries to it wait`);
}

/** The receiver takes what is signed rightly, and refuses a forgery and what is old. */
export async function checkReceiver({ webhook, context }: Setup): Promise<Finding[]> {
  if (!webhook) return [];
  const { url, secret } = webhook;
  const event: Event = {
    id: `evt_doctor${Date.now()}`,
    type: 'endpoint.test',
    sequence: 1,
    timestamp: new Date().toISOString(),
    data: { object: { object: 'webhook_endpoint' } },
  };
  const send = async (by: string) => {
    const answer = await post(url, by, event, context.signal).catch((error: Error) => error);
    return answer instanceof Error ? answer : answer.status;
  };
  const isTaken = (status: number | null | Error) =>
    typeof status === 'number' && status >= 200 && status < 300;
  const signed = await send(secret);
  if (signed instanceof Error) return [wrong('receiver', `${url} cannot be reached. Start your receiver`)];
  const forged = await send(newWebhookSecret());
  return [
    isTaken(signed)
      ? fine('receiver', `${url} takes an event that is signed rightly`)
      : wrong(
          'receiver',
          `${url} answered ${signed ?? 'nothing'} to an event that is signed rightly. Does it verify with the secret of payments listen --print-secret, over the raw bytes?`,
        ),
    isTaken(forged)
      ? wrong(
          'receiver signature',
          `${url} takes an event that anybody could have sent: verify the signature`,
        )
      : fine('receiver signature', `${url} refuses a forged event`),
  ];
}
