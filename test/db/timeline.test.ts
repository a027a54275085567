import assert from 'node:assert/strict';
import { createDatabase, type Database } from '#db/knex.ts';
import { appendTimeline, listTimeline } from '#db/writes/timeline.ts';
import type { NewTimelineEntry } from '#domain/timeline.ts';
import { createRandom } from '../chaos/random.ts';
import { createTestDatabase } from '../support/stack/app.ts';
import { readPlan } from '../support/plans.ts';

/** What tells an entry from the others, and where it stands. */
interface Noted {
  at: number;
  subject: string;
  attempt: number;
}

const beganAt = Date.UTC(2026, 10, 22);

/** In a database of its own, where the connection that prepared a statement is the one that explains it. */
describe('A long timeline', () => {
  let db: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const database = await createTestDatabase();
    drop = () => database.drop();
    db = createDatabase(database.url, 1);
  });
  after(async () => {
    await db.destroy();
    await drop();
  });

  /** Writes what one step noted; the times are in milliseconds since the charge began. */
  async function note(chargeId: string, steps: Noted[]): Promise<void> {
    const entries = steps.map(({ at, subject, attempt }) => {
      const about = subject.startsWith('wd_') ? { delivery: subject } : { refund: subject };
      return {
        at: new Date(beganAt + at),
        type: 'sent',
        detail: { attempt, ...(subject && about) },
      } as unknown as NewTimelineEntry;
    });
    await appendTimeline(db, chargeId, entries);
  }

  async function readPages(chargeId: string, limit: number): Promise<Noted[]> {
    const all: Noted[] = [];
    for (let after: string | null = null; ;) {
      const page = await listTimeline(db, chargeId, { limit, after });
      for (const { at, detail } of page) {
        const subject = String(detail['delivery'] ?? detail['refund'] ?? '');
        all.push({ at: at.getTime() - beganAt, subject, attempt: Number(detail['attempt']) });
      }
      if (page.length < limit) return all;
      after = page.at(-1)!.position;
    }
  }

  it('shows each entry once, whatever the pages', async () => {
    const random = createRandom('timeline');
    const subjects = ['', 're_1', 're_2', 'wd_1', 'wd_2'];
    const noted: Noted[] = [];
    for (let row = 0; row < 120; row += 1) {
      const subject = random.pick(subjects);
      let at = random.integer(0, 60) * 5_000;
      const steps = Array.from({ length: random.integer(1, 5) }, () => {
        // Many in one millisecond, and some long after the first of their step, or before it.
        at = Math.max(0, at + random.pick([0, 0, 1, 5_000, 90_000, -1]));
        return { at, subject, attempt: noted.length + row };
      });
      for (const [i, step] of steps.entries()) step.attempt = noted.length + i;
      noted.push(...steps);
      await note('ch_random', steps);
    }
    const bySubject = (one: string, other: string) => (one < other ? -1 : Number(one > other));
    const inOrder = noted.toSorted(
      (one, other) =>
        one.at - other.at || bySubject(one.subject, other.subject) || one.attempt - other.attempt,
    );
    for (const limit of [1, 2, 7, 100, 1_000]) {
      assert.deepEqual(await readPages('ch_random', limit), inOrder, `pages of ${limit}`);
    }
  });

  it('is read by its index for each page', async () => {
    for (let n = 0; n < 20; n += 1) await note('ch_long', [{ at: n * 60_000, subject: '', attempt: n }]);
    const [first] = await listTimeline(db, 'ch_long', { limit: 1, after: null });
    assert.equal((await listTimeline(db, 'ch_long', { limit: 5, after: first!.position })).length, 5);
    const plan = await readPlan(db, 'list-timeline');
    const scans = plan.match(/\S+ (?:Only |Heap )?Scan (?:using|on) charge_\w+/g) ?? [];
    assert.deepEqual(
      scans,
      ['Index Scan using charge_timeline_in_time', 'Index Scan using charge_timeline_in_time'],
      plan,
    );
    // What follows is taken from the index in its order, and no more of it than a page.
    assert.match(plan, /Limit[^\n]*\n *-> +Index Scan using charge_timeline_in_time/);
    assert.equal(plan.match(/Index Cond: .*charge_id = .* AND .*>/g)?.length, 2, plan);
  });
});
