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

/**
 * Makes the entry of a change, for a row of `told` (`effects.ts`). Answers of claims have a trigger for it
 * (`db/schema/claims.sql`).
 */
export const insertAudit = `
  insert into audit_entries (id, account_id, actor_kind, actor_id, actor_name, action, resource_id, trace_id, status)
  select t.audit_id, t.account_id, case when c.id is null then 'member' else 'client' end, t.actor_id,
    coalesce(c.name, m.name), t.action, t.id, t.trace_id, t.answer_status
  from told t
  left join oauth_clients c on c.id = t.actor_id
  left join members m on m.id = t.actor_id`;
