import { operationKinds } from '#domain/operations/operation-kinds.ts';
import { apiVersions, currentVersion } from '#domain/versions/versions.ts';

/** The rules of every operation, in CommonMark. */
export const introduction = `A payments API that cannot lose or double a payment.

**Authorization.** Create a token at \`POST /oauth2/token\` with your client's id and secret, and send it as
\`Authorization: Bearer …\`. Each operation names the scopes that it needs:
its own, and that of each resource in its answer. A resource of another account is a 404.

**Retries.** Every POST with an effect takes an \`Idempotency-Key\`: one unique key per logical operation, sent again
with every retry. The first answer is stored and replayed byte for byte, with \`Idempotent-Replayed: true\`, for at
least 24 hours. Retry network errors, 409 \`idempotency_key_in_progress\`, 429, 502, 503 and 504 with the same key:
wait for \`Retry-After\`, then back off with jitter.

**Problems.** Every failure is a problem document (RFC 9457). Branch on its \`code\`, which is never renamed.
[/problems](/problems) explains each code. Quote the \`trace_id\` when you report a problem.

**Versions.** Your account has a dated version. The \`API-Version\` header overrides it for one request, and every
answer names its version. There are ${apiVersions.map((version) => `\`${version}\``).join(' and ')};
\`${currentVersion}\` is the current one. Answers to a deprecated version carry \`Deprecation\` and \`Sunset\`.
New members, and new values of members with a list of values (a \`status\`, a \`code\`, an event's \`type\`), may appear
without a new version. Ignore members and values that you do not know. An unknown \`status\` may change.

**Money** is a whole number of minor units, always with its currency. **Times** are RFC 3339 in UTC.

**Lists** are newest first, at most 100 items a page. Pass \`next_cursor\` as \`starting_after\`, or follow
\`Link: rel="next"\`, until \`has_more\` is false.

**Conditional requests.** Reads have an \`ETag\`. With it in \`If-None-Match\`, an unchanged resource is a 304. PUT and PATCH
need \`If-Match\`, and every other change of a resource accepts it. A stale tag is a 412, and nothing changes.
A \`pending\` resource has \`Retry-After\`: do not read it again before.

**Every path** also answers HEAD like GET without the body, OPTIONS with 204 and \`Allow\`, any other method with
405 \`method_not_allowed\` and \`Allow\`, and a trailing slash with 308 to the path without it.`;

/** The description of each group of operations, by the name of its resource. */
export const tags: Record<string, string> = {
  charges: 'Payments with a card, in one step or in two.',
  refunds: 'Money returned from one charge, in full or in part.',
  customers: 'Payers, and the cards that they pay with.',
  operations: 'Work that lasts longer than its request.',
  webhooks: 'Endpoints that receive events, and the deliveries to them.',
  events: 'Changes of resources, in the order of the account.',
  'idempotency-keys': 'The state of a request, without sending it again.',
  authorization: 'Tokens, and the keys that verify them. Without versions.',
  access: 'Clients, people and their sessions, and what people did.',
  requests: 'What a request did, by its trace id.',
  health: 'Whether a process can serve.',
  documents: 'The documents of this API.',
  processors: 'What payment processors and returning buyers send.',
  operators: 'What operators read and do, over all accounts.',
  ...Object.fromEntries(
    Object.values(operationKinds).flatMap(({ collection, about }) => (about ? [[collection, about]] : [])),
  ),
};

/** The rules of the document for operators, in CommonMark. */
export const serviceIntroduction = `What the service serves beside the API: health for supervisors, its documents, what its
operators read and do, and the requests of payment processors. Operators have tokens of their own, with the scopes
\`operator:read\` and \`operator:write\`, which name no account. The API itself is described by [openapi.json](/openapi.json).`;
