import { apiVersions, currentVersion } from '#domain/versions.ts';

/** The rules of every operation, in CommonMark. */
export const introduction = `A payments API that cannot lose or double a payment.

**Authorization.** Take a token at \`POST /oauth2/token\` with your client's id and secret, and send it as
\`Authorization: Bearer …\`. Each operation names the scopes that it needs:
that of what it does, and that of each resource which its answer shows. What belongs to another account is a 404.

**Retries.** Every POST with an effect takes an \`Idempotency-Key\`: one unique key per logical operation, sent again
on every retry. The first answer is stored and replayed byte for byte, with \`Idempotent-Replayed: true\`, for at
least 24 hours. Retry network errors, 409 \`idempotency_key_in_progress\`, 429, 502, 503 and 504 with the same key:
wait as long as \`Retry-After\` says, then back off with jitter.

**Problems.** Every failure is a problem document (RFC 9457). Branch on its \`code\`, which is never renamed;
[/problems](/problems) explains each. Quote its \`trace_id\` when you report it.

**Versions.** Your account is pinned to a dated version; the \`API-Version\` header overrides it for one request, and
every answer names the one it is in. There are ${apiVersions.map((version) => `\`${version}\``).join(' and ')};
\`${currentVersion}\` is the current one. Answers to a deprecated version carry \`Deprecation\` and \`Sunset\`.
New members, and new values of members that have a list of them (a \`status\`, a \`code\`, an event's \`type\`), may appear
without a new version: ignore members and values that you do not know, and treat an unknown \`status\` as one that may change.

**Money** is a whole number of minor units, always with its currency. **Times** are RFC 3339 in UTC.

**Lists** are newest first, at most 100 items a page. Pass \`next_cursor\` as \`starting_after\`, or follow
\`Link: rel="next"\`, until \`has_more\` is false.

**Conditional requests.** Reads carry an \`ETag\`; \`If-None-Match\` turns an unchanged one into a 304. PUT and PATCH
need \`If-Match\`; every other change of a resource honours it: a stale one is a 412, and nothing has changed.
What is \`pending\` carries \`Retry-After\`: read it again no sooner.

**Every path** also answers HEAD like GET without the body, OPTIONS with 204 and \`Allow\`, any other method with
405 \`method_not_allowed\` and \`Allow\`, and a trailing slash with 308 to the path without it.`;

/** The description of each group of operations, by the name of its resource. */
export const tags: Record<string, string> = {
  charges: 'Money taken from a card, at once or in two steps.',
  refunds: 'Money given back, of one charge, in full or in parts.',
  customers: 'Who pays, and the cards they pay with.',
  exports: 'Files of what happened.',
  'charge-batches': 'Many charges in one request.',
  operations: 'Work that outlives its request.',
  webhooks: 'Where events are sent, and what became of each delivery.',
  events: 'What happened, in the order of the account.',
  'idempotency-keys': 'What became of a request, without sending it again.',
  authorization: 'Tokens, and the keys they are verified with. Outside the versions.',
  service: 'The processes, these documents, and what the payment processor tells. Outside the versions.',
};
