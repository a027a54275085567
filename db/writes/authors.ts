/** Who makes a write, and the entry that the audit gets in the transaction of the change. */
export interface Author {
  /** The id of a member, or of a client that acts for itself. */
  actorId: string;
  /** The id of the entry. */
  auditId: string;
  /** Plural of the resource and a verb: `charges.capture`. */
  action: string;
}
