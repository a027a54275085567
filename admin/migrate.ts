import { migrate } from '#db/migrate.ts';
import { readConfig } from '#startup/config.ts';

/** `npm run migrate`, and the one-time container of a deployment. */
await migrate(readConfig(process.env).databaseUrl, { log: (line) => console.log(line) });
