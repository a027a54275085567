import { adoptRows } from '#db/xid-origin.ts';
import type { Command } from './command.ts';

export const databaseCommands: readonly Command[] = [
  {
    name: 'database adopt',
    summary:
      'Make exports right again after rows came from another cluster: a dump, logical replication, a copy, pg_upgrade',
    async run(_input, { db }) {
      const adopted = await adoptRows(db);
      return {
        text: `${adopted} rows were made visible to exports. Exports and replays are taken again; those that were open fail and have to be submitted again.`,
        json: { adopted },
      };
    },
  },
];
