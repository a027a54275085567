import { adoptRows } from '#db/xid-origin.ts';
import type { Command } from './command.ts';

export const databaseCommands: readonly Command[] = [
  {
    name: 'database adopt',
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
