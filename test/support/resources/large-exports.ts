import { createDiskBlobs } from '#blobs/disk.ts';
import { join } from 'node:path';
import { seedCharges } from '../../../bench/rig/seed-charges.ts';
import type { Environment } from '../stack/environment.ts';
import { eventually } from '../eventually.ts';
import { findParts, submitExport } from './exports.ts';
import type { HeldRow } from '../stack/locks.ts';
import { createMerchant, type Merchant } from './merchant.ts';
import { holdEveryUpload } from '../stack/stages.ts';

/** Exports of so many charges that they are written in several parts of 8 MiB. */

const count = 16_000;

/** Makes a line of some 2 kB: a long line costs less than four short ones. */
const padding = ' and more'.repeat(165);

/** A merchant with so many charges. */
export async function createLargeMerchant(env: Environment): Promise<Merchant> {
  const merchant = await createMerchant();
  await seedCharges(env.db, merchant.accountId, count, padding);
  return merchant;
}

/**
 * Removes them, for `after`. No processor knows them, and a reconciliation looks at 10,000 differences at most: it would not
 * find the difference of another test. Nothing refers to them, and nothing checks that: so many checks take a busy machine
 * longer than a statement may.
 */
export async function removeSeededCharges(env: Environment, { accountId }: Merchant): Promise<void> {
  await env.db.transaction(async (transaction) => {
    await transaction.raw('set local session_replication_role = replica');
    await transaction.raw(
      `delete from charges c where account_id = ?
         and not exists (select from idempotency_keys k where k.claim_id = c.claim_id)`,
      [accountId],
    );
  });
}

/** Every charge of the merchant at this moment, in the order of an export. */
export async function chargeIdsNow(env: Environment, { accountId }: Merchant): Promise<string[]> {
  const rows = await env.db('charges').where('account_id', accountId).orderBy('id').select('id');
  return rows.map(({ id }: { id: string }) => id);
}

/** The ids of an NDJSON file, in its order. */
export function idsIn(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: string }).id);
}

/** An export that waits for its next checkpoint until it is released. */
export interface HeldExport {
  id: string;
  held: HeldRow;
}

/**
 * Submits an export, and holds it with so many parts behind it, or more, of some four, right before the next checkpoint. Each
 * hold is there before the export can get past it, however quick it is.
 */
export async function submitHeld(env: Environment, merchant: Merchant, parts = 2): Promise<HeldExport> {
  let held = await holdEveryUpload(env);
  const { id } = (await submitExport(merchant)).body;
  await held.untilBlocked();
  while ((await findParts(env, id)).length < parts) {
    const next = holdEveryUpload(env);
    await held.untilBlocked(2);
    await held.release();
    held = await next;
    await held.untilBlocked();
  }
  return { id, held };
}

/** Waits until the file is whole, whatever the operation's row says. */
export async function untilFileIsWhole(env: Environment, id: string): Promise<void> {
  const blobs = createDiskBlobs(env.stack.env['BLOB_DIR'] ?? join(env.stack.localDir, 'blobs'));
  await eventually('the file is whole', async () => {
    const file = await blobs.read(`results/${id}`);
    file?.bytes.destroy();
    return file !== null;
  });
}

/** Charges that are written all the while, between those that are there and behind them. */
export function writeOn(env: Environment, { accountId }: Merchant): { stop(): Promise<number> } {
  const end = new AbortController();
  const { signal } = end;
  const writing = (async () => {
    let written = 0;
    const [{ created_xid: _xid, ...row }] = await env.db('charges').where('account_id', accountId).limit(1);
    const json = {
      metadata: JSON.stringify(row.metadata),
      failure: row.failure && JSON.stringify(row.failure),
    };
    // No longer than the test that has them written.
    for (const last = Date.now() + 100_000; !signal.aborted && Date.now() < last;) {
      const taken = env
        .db('charges')
        .where('account_id', accountId)
        .offset(Math.floor(Math.random() * count));
      const { id: neighbour } = await taken.first('id');
      const id = neighbour.slice(0, -8) + String(10_000_000 + written);
      await env
        .db('charges')
        .insert({ ...row, ...json, id, claim_id: `clm_${id.slice(3)}`, workflow_id: id });
      written += 1;
    }
    return written;
  })();
  return {
    stop() {
      end.abort();
      return writing;
    },
  };
}
