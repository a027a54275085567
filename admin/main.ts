import { administer } from './administer.ts';

/** `npm run admin`: one command, and how it ended. */

const { code, stdout, stderr } = await administer(process.argv.slice(2), process.env);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code;
