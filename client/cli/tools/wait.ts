import type { Command } from 'commander';
import type { Context, GlobalOptions } from '../context.ts';
import { CliError } from '../exits.ts';
import { printResource } from '../operations/answers.ts';
import { createOutput } from '../output.ts';
import { connect, findProfile } from '../session/connection.ts';

/** Adds `operations wait`: the document has the operation's state, and this waits for its end. */
export function addWait(program: Command, context: Context): void {
  program.commands
    .find((command) => command.name() === 'operations')
    ?.command('wait')
    .summary('wait until an operation has ended')
    .description(
      'Reads the operation, no faster than the service asks, until it has succeeded, failed or been cancelled. It ends ' +
        'with 1 unless it succeeded.',
    )
    .argument('<id>', 'the operation: that of an export, a batch or a replay')
    .addHelpText('after', '\nExample:\n  payments operations wait op_01JF3Z…')
    .action((id: string, _options: unknown, command: Command) =>
      wait(context, id, command.optsWithGlobals()),
    );
}

async function wait(context: Context, id: string, options: GlobalOptions): Promise<void> {
  const connection = connect(context, findProfile(context, options), options);
  const output = createOutput(context);
  let last = '';
  const operation = await connection.wait(id, ({ status, progress }) => {
    const says = `${status}${progress ? `  ${JSON.stringify(progress)}` : ''}`;
    if (says !== last) output.note(says);
    last = says;
  });
  if (options.json) output.json(operation);
  else printResource(output, { ...operation });
  if (operation.status !== 'succeeded') throw new CliError('refused', `${id} is ${operation.status}`);
}
