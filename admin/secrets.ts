import { resealColumn, sealedColumns, type Resealed } from '#db/reseal.ts';
import { AdminError, type Command, type Context, type Report } from './command.ts';
import { formatTable } from './report.ts';

export const secretCommands: readonly Command[] = [
  {
    name: 'secrets reseal',
    takesLong: true,
    summary: 'Encrypt all stored secrets with the first key of SECRETS_KEY; safe to repeat',
    run: (_input, context) => reseal(context),
  },
];

async function reseal(context: Context): Promise<Report> {
  const keys = context.secretsKey();
  const done: Resealed[] = [];
  for (const column of sealedColumns) {
    const tell = (soFar: Resealed) =>
      context.onProgress(`${soFar.table}: ${soFar.resealed} sealed anew so far`);
    done.push(await resealColumn(context.db, keys, column, tell));
  }
  const unopened = done.reduce((sum, column) => sum + column.unopened, 0);
  if (unopened > 0) {
    const where = done.filter((column) => column.unopened > 0).map((column) => column.table);
    throw new AdminError(
      `${unopened} secrets in ${where.join(', ')} open under no key of SECRETS_KEY: add the key that sealed them, and run it again. The rest is sealed under the first key.`,
    );
  }
  const rows = done.map((column) => [column.table, String(column.resealed), String(column.current)]);
  return { text: formatTable(['TABLE', 'SEALED ANEW', 'WERE ALREADY'], rows, ''), json: done };
}
