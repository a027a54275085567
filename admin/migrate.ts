import { migrate } from '#db/migrate.ts';
import { readConfigOrExit } from '#startup/process.ts';

/** `npm run migrate`, and the one-time container of a deployment. */
await migrate(readConfigOrExit(process.env).databaseUrl, { log: (line) => console.log(line) });
