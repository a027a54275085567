import { Command, InvalidArgumentError } from 'commander';
import type { Context } from './context.ts';
import { addOperations } from './operations/commands.ts';
import { readDocument } from './operations/document.ts';
import { addLogin } from './session/login.ts';
import { addDoctor } from './tools/doctor.ts';
import { addListen } from './tools/listen.ts';
import { addLogs } from './tools/logs.ts';
import { addReplay } from './tools/replay.ts';
import { addTrigger } from './tools/trigger.ts';
import { addWait } from './tools/wait.ts';

/** Returns the whole command line: the tools, and a command for each operation of the document. */
export function createProgram(context: Context): Command {
  const document = readDocument();
  const program = new Command('payments')
    .description('The command line of the payments API. Amounts are in minor units: 19.99 EUR is 1999.')
    .version(document.info.version, '-V, --version', 'print the API version of this command')
    .option('--json', 'print JSON for programs instead of tables for people')
    .option('--profile <name>', 'the credentials to use (default: PAYMENTS_PROFILE, else "default")')
    .option('--server <url>', 'the address of the service (default: PAYMENTS_URL, else that of the profile)')
    .option(
      '--max-retries <count>',
      'how often a request without an answer is repeated (default: 5)',
      readCount,
    )
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr: (text) => void context.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, '')),
    })
    .showHelpAfterError('(add --help for what this command takes)')
    .exitOverride()
    .addHelpText('after', exitHelp);
  addLogin(program, context);
  addListen(program, context);
  addTrigger(program, context);
  addReplay(program, context);
  addLogs(program, context);
  addDoctor(program, context, document);
  addOperations(program, context, document);
  addWait(program, context);
  return program;
}

const exitHelp = `
Exit codes: 0 done, 1 refused by the service, 2 wrong use, 3 not signed in, 4 no answer.

Example:
  payments charges create --amount 1999 --currency EUR --payment-method tok_visa`;

function readCount(text: string): number {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is a number from 0 to 99.');
}
