import type { JSX } from 'preact';
import type { AuditEntry, Refund } from '#client/src/index.ts';
import type { Visit } from '../page.ts';
import { Text } from '../parts/text.tsx';
import { may } from '../session/scopes.ts';

/** Who made refunds, by the id of the refund: a person, or a program. */
export type Authors = ReadonlyMap<string, NonNullable<AuditEntry['actor']>>;

/**
 * Returns who made the refunds, as the audit tells it.
 *
 * @returns `null`: this person may not read the audit.
 */
export async function findAuthors(
  { api, session }: Visit,
  refunds: readonly Refund[],
): Promise<Authors | null> {
  if (!may(session, 'access:read')) return null;
  if (refunds.length === 0) return new Map();
  const resource = refunds.map(({ id }) => id);
  const { data } = await api.auditEntries.list({ resource, limit: 100 }).page();
  // A refund is made at `/v1/refunds`, or at its charge. What was refused made nothing.
  const made = data.filter(
    ({ action, status }) => action.endsWith('refunds.create') && status !== null && status < 400,
  );
  // Newest first, so the oldest entry of a refund stays: later ones repeat its answer.
  return new Map(
    made.flatMap(({ resource: id, actor }) => (id === null || actor === null ? [] : [[id, actor] as const])),
  );
}

/** Who made the refund, with a link to what people did with it. */
export function Author({ refund, authors }: { refund: Refund; authors: Authors }): JSX.Element {
  const author = authors.get(refund.id);
  if (!author) return <>–</>;
  return (
    <a href={`/access/audit?resource=${refund.id}`}>
      <Text value={author.name ?? author.id ?? ''} />
    </a>
  );
}
