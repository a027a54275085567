import { randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { EventBodies } from '#webhooks/bodies.ts';
import { sign } from '#webhooks/sign.ts';
import { findEvents } from '#db/writes/events.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { currentVersion } from '#domain/versions/versions.ts';
import { answerParent } from '../rig/child.ts';
import { driveLoad, type Measured } from '../rig/closed-loop.ts';

/**
 * The process that deliveries are compared with: a loop around `undici` that posts the signed bodies of a backlog, and
 * reads, decides and records nothing. It ends with its parent.
 */

export interface BareOrder {
  /** The endpoints of the backlog. */
  endpoints: { id: string; url: string }[];
  /** Posts under way to each endpoint. */
  inFlight: number;
  seconds: number;
}

export interface BareReport {
  measured: Measured;
  /** All posts, those before and after the measuring included. */
  posts: number;
}

/** Different bodies, posted in turn. */
const bodies = 1_000;

interface Post {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  pool: Pool;
}

async function carryOut({ endpoints, inFlight, seconds }: BareOrder): Promise<BareReport> {
  const pools = endpoints.map(({ url }) => new Pool(new URL(url).origin, { connections: inFlight }));
  try {
    const signed = await signBacklog(endpoints.map(({ id }) => id));
    const posts = signed.map((one, n): Post => {
      const { pathname } = new URL(endpoints[n % endpoints.length]!.url);
      return { ...one, path: pathname, pool: pools[n % endpoints.length]! };
    });
    let next = 0;
    const post = async () => {
      const { pool, ...sent } = posts[next++ % posts.length]!;
      const answer = await pool.request({ method: 'POST', ...sent });
      await answer.body.dump();
      if (answer.statusCode !== 204) throw new Error(`${sent.path}: ${answer.statusCode}`);
    };
    const load = { inFlight: inFlight * endpoints.length, until: { seconds } };
    const measured = await driveLoad(load, post);
    return { measured, posts: next };
  } finally {
    await Promise.all(pools.map((pool) => pool.close()));
  }
}

/** A multiple of the endpoints, so that each gets its share. */
async function signBacklog(endpointIds: string[]): Promise<Pick<Post, 'headers' | 'body'>[]> {
  const db = createDatabase(process.env['DATABASE_URL'] ?? '', 1);
  try {
    const ids = await findEventIds(db, endpointIds);
    const made = await new EventBodies((missing) => findEvents(db, missing)).find(ids, currentVersion);
    const key = randomBytes(32);
    const wanted = Math.ceil(bodies / endpointIds.length) * endpointIds.length;
    return Array.from({ length: wanted }, (_, n) => {
      const id = ids[n % ids.length]!;
      const { body } = made.get(id)!;
      const signed = sign([key], id, new Date(), body);
      return { body, headers: { 'content-type': 'application/json', ...signed } };
    });
  } finally {
    await db.destroy();
  }
}

async function findEventIds(db: Database, endpointIds: string[]): Promise<string[]> {
  const rows: { event_id: string }[] = await db('webhook_deliveries')
    .distinct('event_id')
    .whereIn('endpoint_id', endpointIds)
    .limit(bodies);
  if (rows.length === 0) throw new Error('there is no backlog to post');
  return rows.map(({ event_id: id }) => id);
}

answerParent(carryOut);
