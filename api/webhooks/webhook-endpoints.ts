import { randomBytes } from 'node:crypto';
import { currentTime } from '#db/clock.ts';
import type { SecretsKeys } from '#db/encryption.ts';
import { publishDeliveries } from '#db/writes/committed-deliveries.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { cancelDeliveries } from '#db/webhooks/webhook-deliveries.ts';
import {
  buildEndpointChange,
  buildEndpointCreation,
  buildEndpointDeletion,
  buildRotation,
  findWebhookEndpoint,
  listWebhookEndpoints,
  type NewWebhookSecret,
} from '#db/webhooks/webhook-endpoints.ts';
import { sealWebhookSecret } from '#db/webhooks/webhook-endpoints.ts';
import { firstIdAt } from '#domain/ids.ts';
import {
  maxSecrets,
  presentWebhookEndpoint,
  type WebhookEndpoint,
  type WebhookEndpointProfile,
  type WebhookSecret,
} from '#domain/webhook-endpoints.ts';
import type { ApiDeps } from '../http/deps.ts';
import { defineNoun, type Noun } from '../http/nouns.ts';
import type { Route } from '../http/route.ts';
import { webhookEndpointId } from '../http/schemas.ts';
import {
  applyPatch,
  changeGuarded,
  defineCreation,
  defineVerb,
  hasValues,
  toNextVersion,
  type NounChange,
} from '../writes/noun-changes.ts';
import { endpointProblems, findRoom, requireRoomAtUrl, requireUrl } from './endpoint-limits.ts';
import * as schemas from './webhook-endpoint-schemas.ts';

export const webhookEndpoints: Noun<WebhookEndpoint> = {
  kind: 'webhookEndpoint',
  name: 'webhook endpoint',
  collection: 'webhook-endpoints',
  access: 'webhooks:read',
  id: webhookEndpointId,
  schema: schemas.webhookEndpointResource,
  find: findWebhookEndpoint,
  deletedCode: 'webhook_endpoint_deleted',
  present: presentWebhookEndpoint,
  describe: (endpoint) => ({
    record: endpoint,
    // Its deliveries change it.
    change: endpoint.status === 'enabled' ? 'by_itself' : 'on_request',
  }),
};

const withSecret = {
  description: 'The webhook endpoint, with its secret',
  schema: schemas.webhookEndpointWithSecret,
};
const patched = { patch: schemas.webhookEndpointPatch, values: schemas.webhookEndpointProfile };

export type WebhookEndpointDeps = Pick<ApiDeps, 'db' | 'pages' | 'config' | 'webhookUrls'>;

/** The routes of webhook endpoints. Their deliveries are in files of their own. */
export function webhookEndpointRoutes(deps: WebhookEndpointDeps): Route[] {
  const { db } = deps;
  // The owner of the URL, or of the secret, reads the events and can send events in our name.
  const access = ['webhooks:write', 'events:read'] as const;
  const { read, list } = defineNoun(deps, webhookEndpoints, {
    read: {
      summary: 'Read a webhook endpoint and its state',
      description:
        'Returns the endpoint, without the values of its secrets. `failing_since` and `last_failure` say how its deliveries go.',
    },
    list: {
      summary: 'List webhook endpoints, newest first',
      description:
        'Returns a page of endpoints, without deleted ones. An account has at most 100, and at most 5 that are enabled with one URL.',
      query: schemas.webhookEndpointQuery,
      find: (lists, { account }, range, page) => listWebhookEndpoints(lists, account.id, range, page),
    },
  });

  const create = defineCreation(deps, webhookEndpoints, {
    access,
    summary: 'Register a URL that receives events',
    description:
      'The answer shows the secret that verifies signatures, and no later answer does. The host must have public addresses only.',
    body: schemas.newWebhookEndpoint,
    answer: withSecret,
    problems: [...endpointProblems, 'too_many_webhook_endpoints'],
    showsSecret: true,
    async make({ account, body, ...request }, start) {
      await requireUrl(deps, account.id, body.url);
      const room = await findRoom(db, account.id, body.url);
      if ('code' in room) return room;
      const secret = newWebhookSecret(deps.config.secretsKey, start.createdAt);
      const apiVersion = body.apiVersion ?? request.apiVersion;
      const to = { ...body, ...initialState, ...start, apiVersion, secrets: [secret.shown] };
      return {
        to,
        change: buildEndpointCreation(to, secret, room.setVersion),
        beside: { secret: secret.text },
      };
    },
  });

  const patch = changeGuarded(deps, webhookEndpoints, 'PATCH', {
    access,
    summary: 'Change a webhook endpoint (RFC 7386); disabling it cancels its open deliveries',
    description:
      'Sets the members that are sent. An endpoint that is enabled again gets the events from then on: use `:replay` for those between. It needs `If-Match`.',
    body: schemas.webhookEndpointPatch,
    problems: [...endpointProblems],
    change: ({ body }, endpoint) =>
      changeProfile(deps, endpoint, applyPatch(patched, presentWebhookEndpoint(endpoint), body)),
    afterwards: (endpoint, changed) => updateDeliveries(db, endpoint, changed),
  });

  const remove = changeGuarded(deps, webhookEndpoints, 'DELETE', {
    access,
    summary: 'Delete a webhook endpoint and cancel its open deliveries; all stay readable',
    description: 'Nothing is sent to the endpoint any more. Its deliveries can still be read for 30 days.',
    change(_request, endpoint) {
      const at = currentTime();
      return { to: null, change: buildEndpointDeletion(endpoint, at, firstDeliveryAfter(at)) };
    },
    afterwards: (endpoint) => updateDeliveries(db, endpoint, null),
  });

  return [create, read, list, patch, remove, rotationRoute(deps)];
}

/** Both secrets sign for a while, so that receivers can change over (`docs/webhooks.md`, "Rotating the secret"). */
function rotationRoute(deps: WebhookEndpointDeps): Route {
  return defineVerb(deps, webhookEndpoints, 'rotate-secret', {
    operationId: 'rotateWebhookEndpointSecret',
    access: ['webhooks:write', 'events:read'],
    summary: 'Create a new secret; the current one signs beside it for a while',
    description:
      'Deliveries are signed with both secrets for `overlap_seconds`, so that receivers can change over. The answer shows the new secret, and no later answer does.',
    body: schemas.rotation,
    answer: { ...withSecret, description: 'The webhook endpoint, with its new secret' },
    problems: ['too_many_webhook_secrets'],
    showsSecret: true,
    change({ body: { overlapMs } }, read) {
      if (read.secrets.length >= maxSecrets) return { code: 'too_many_webhook_secrets' };
      const at = currentTime();
      const expiresAt = new Date(at.getTime() + overlapMs);
      const secret = newWebhookSecret(deps.config.secretsKey, at);
      const older = read.secrets.map((one) => (one.expiresAt ? one : { ...one, expiresAt }));
      const signing = older.filter(({ expiresAt: until }) => until !== null && until > at);
      const to = { ...read, secrets: [secret.shown, ...signing], updatedAt: at, version: read.version + 1 };
      return { to, change: buildRotation(read, secret, { at, expiresAt }), beside: { secret: secret.text } };
    },
  });
}

/** A new secret in all its forms. One answer shows it; after that it is only stored, encrypted. */
interface MadeSecret extends NewWebhookSecret {
  /** Standard Webhooks, "Symmetric": `whsec_` and 32 random bytes in base64. */
  text: string;
  shown: WebhookSecret;
}

function newWebhookSecret(secretsKey: SecretsKeys, createdAt: Date): MadeSecret {
  const id = newId('webhookSecret');
  const text = `whsec_${randomBytes(32).toString('base64')}`;
  return {
    id,
    text,
    sealed: sealWebhookSecret(secretsKey, id, text),
    shown: { id, createdAt, expiresAt: null },
  };
}

const initialState = {
  status: 'enabled' as const,
  disabledReason: null,
  failingSince: null,
  lastFailure: null,
  parkedUntil: null,
  disablesAt: null,
  deletedAt: null,
  cancelledBefore: null,
  version: 1,
};

async function changeProfile(
  deps: WebhookEndpointDeps,
  read: WebhookEndpoint,
  profile: WebhookEndpointProfile,
): Promise<NounChange<WebhookEndpoint> | null> {
  if (hasValues(read, profile)) return null;
  if (profile.url !== read.url) await requireUrl(deps, read.accountId, profile.url);
  const to = switchStatus(read, toNextVersion(read, { ...profile, parkedUntil: null }));
  const setVersion = await requireRoomAtUrl(deps.db, read, to);
  const change = buildEndpointChange(read, to, setVersion);
  if (to.status === read.status || to.status === 'enabled') return { to, change };
  const object = presentWebhookEndpoint(to);
  return {
    to,
    change,
    event: { id: newId('event'), type: 'webhook_endpoint.disabled', resourceId: to.id, object },
  };
}

/** Sets the members that follow from an endpoint's being enabled or disabled. */
function switchStatus(read: WebhookEndpoint, changed: WebhookEndpoint): WebhookEndpoint {
  if (changed.status === read.status) return changed;
  if (changed.status === 'enabled') return { ...changed, disabledReason: null, failingSince: null };
  return {
    ...changed,
    disablesAt: null,
    disabledReason: 'requested',
    cancelledBefore: firstDeliveryAfter(changed.updatedAt),
  };
}

/** Returns the id below which all deliveries are that were made until then. */
function firstDeliveryAfter(at: Date): string {
  return firstIdAt('webhookDelivery', at.getTime() + 1);
}

/** Deliveries that the request cancels: few enough for one short statement. The workflow cancels the others. */
const cancelledAtOnce = 1_000;

/** Cancels the deliveries that a change or a deletion ends, and has the workflow look again. */
async function updateDeliveries(
  db: Database,
  { id }: WebhookEndpoint,
  changed: WebhookEndpoint | null,
): Promise<void> {
  if (changed?.cancelledBefore !== null) await cancelDeliveries(db, id, cancelledAtOnce);
  publishDeliveries(db, { endpoints: [id], woken: [id] });
}
