import { findRow, type Database } from '../knex.ts';

/** Finds a resource of any account by its id, and the workflow that sees to it. */

export interface OwnedResource {
  id: string;
  account: { id: string; name: string };
  status: string;
  /** `null`: it never had one of its own. */
  workflowId: string | null;
}

const account = `json_build_object('id', a.id, 'name', a.name) as account`;

/** Where the resources of a prefix are. */
const tables: Readonly<Record<string, { table: string; status: string; workflow: string }>> = {
  ch: { table: 'charges', status: 'r.status', workflow: 'r.workflow_id' },
  re: { table: 'refunds', status: 'r.status', workflow: 'r.workflow_id' },
  op: { table: 'operations', status: 'r.status', workflow: 'r.workflow_id' },
  we: { table: 'webhook_endpoints', status: 'r.status', workflow: `'webhook-endpoint/' || r.id` },
  wd: { table: 'webhook_deliveries', status: 'r.status', workflow: `'webhook-endpoint/' || r.endpoint_id` },
  cus: {
    table: 'customers',
    status: `case when r.deleted_at is null then 'active' else 'deleted' end`,
    workflow: 'null',
  },
};

/** The prefixes of ids that can be looked up. */
export const resourcePrefixes = Object.keys(tables);

/** Returns the resource; `null` if there is none with this id. */
export async function findResource(db: Database, id: string): Promise<OwnedResource | null> {
  const prefix = id.slice(0, id.indexOf('_'));
  const place = tables[prefix];
  if (!place) return null;
  return findRow<OwnedResource & Record<string, unknown>>(
    db,
    `find-resource-${prefix}`,
    `select r.id, ${account}, ${place.status} as status, ${place.workflow}::text as workflow_id
     from ${place.table} r join accounts a on a.id = r.account_id where r.id = $1`,
    [id],
  );
}
