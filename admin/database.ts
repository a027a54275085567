import { adoptRows } from '#db/xid-origin.ts';
import { recordRestore } from '#db/restores.ts';
import { UsageError, type Command } from './command.ts';

/** How far a restore moves the sequences of events on: more than an account has events in the time that was lost. */
const sequenceGap = 1_000_000;

export const databaseCommands: readonly Command[] = [
  {
    name: 'database restored',
    takesLong: true,
    summary:
      'Record that the database was restored to an earlier time, before anything else writes to it: payments wait until `npm run reconcile -- --restored --repair` has ended',
    options: {
      to: { value: 'TIME', help: 'the time that it was restored to, such as 2026-11-23T08:00:00+00:00' },
    },
    async run({ options }, { db }) {
      const to = new Date(String(options['to'] ?? ''));
      if (Number.isNaN(to.getTime())) throw new UsageError('Say the time: --to 2026-11-23T08:00:00+00:00');
      if (to.getTime() > Date.now()) throw new UsageError('The time is not over yet');
      const isNew = await recordRestore(db, to, sequenceGap);
      const text = isNew
        ? `Recorded. The sequences of events go on ${sequenceGap} higher, and no payment begins. Next: npm run reconcile -- --restored`
        : 'This restore is recorded already. Nothing changed.';
      return { text, json: { restored_to: to.toISOString(), is_new: isNew, sequence_gap: sequenceGap } };
    },
  },
  {
    name: 'database adopt',
    takesLong: true,
    summary:
      'Repair exports after rows came from another cluster: by a dump, logical replication, a copy or pg_upgrade',
    async run(_input, { db }) {
      const adopted = await adoptRows(db);
      return {
        text: `${adopted} rows are visible to exports now. The API accepts exports and replays again. Those that were open fail: submit them again.`,
        json: { adopted },
      };
    },
  },
];
