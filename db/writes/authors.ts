/** Who makes a write, and the entry that the audit gets in the transaction of the change. */
export interface Author {
  /** The id of a member, or of a client that acts for itself. */
  actorId: string;
  /** The id of the entry; `null`: the audit gets none. */
  auditId: string | null;
  /** Plural of the resource and a verb: `charges.capture`. */
  action: string;
}

/** The entry of a change that has no claim. */
export interface ChangeAudit {
  author: Author;
  /** 32 hex digits. */
  traceId: string;
  /** Of the answer. */
  status: number;
}

/** Returns the parameters of {@link insertAudit}. */
export function auditValues({ author, traceId, status }: ChangeAudit): unknown[] {
  return [author.auditId, author.actorId, author.action, traceId, status];
}

/**
 * Returns the statement that makes the entry of a change, for a row of `moved`. Answers of claims have a trigger for it
 * (`db/schema/claims.sql`).
 *
 * @param p returns the placeholder of a parameter: the first of five is 1.
 */
export const insertAudit = (p: (n: number) => string) => `
  insert into audit_entries (id, account_id, actor_kind, actor_id, actor_name, action, resource_id, trace_id, status)
  select ${p(1)}, moved.account_id, case when c.id is null then 'member' else 'client' end, ${p(2)},
    coalesce(c.name, m.name), ${p(3)}, moved.id, ${p(4)}, ${p(5)}::smallint
  from moved
  left join oauth_clients c on c.id = ${p(2)}
  left join members m on m.id = ${p(2)}`;
