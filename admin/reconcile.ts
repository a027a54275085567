import { runReconcile } from './reconciling.ts';

/** `npm run reconcile` */
const { argv, env } = process;
process.exitCode = await runReconcile(argv.slice(2), env, {
  result: (text) => void process.stdout.write(text),
  progress: (line) => void process.stderr.write(`${line}\n`),
});
