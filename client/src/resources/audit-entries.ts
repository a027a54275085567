import type { Caller } from '../caller.ts';
import type { CallOptions } from '../calls.ts';
import { toList, type List } from '../lists.ts';
import type { AuditEntry, AuditEntryQuery } from '../types.ts';

/** What people did in the account, for a year. */
export class AuditEntries {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Newest first. */
  list(query?: AuditEntryQuery, options?: CallOptions): List<AuditEntry> {
    return toList(query, options, (page, each) =>
      this.#caller.send('get', '/v1/audit-entries', { query: page }, each),
    );
  }
}
