import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Context, GlobalOptions } from '../context.ts';
import { wrongUse } from '../exits.ts';
import { createOutput } from '../output.ts';
import { connect, readUrl } from './connection.ts';
import { readText } from './files.ts';
import { credentialsFile, nameProfile, readProfiles, writeProfiles, type Profile } from './profiles.ts';

interface LoginOptions {
  clientId?: string;
  secretFile?: string;
}

/** Adds `login`, `logout` and `profiles`. */
export function addLogin(program: Command, context: Context): void {
  program
    .command('login')
    .summary('keep the credentials of an account for later commands')
    .description(
      'Asks for the address, the client id and the client secret, tries them, and keeps them in a file that only you ' +
        'can read. The secret is never an argument: type it, or give PAYMENTS_CLIENT_SECRET or --secret-file.',
    )
    .option('--client-id <id>', 'the client id (default: PAYMENTS_CLIENT_ID, else you are asked)')
    .option('--secret-file <file>', 'a file whose first line is the client secret; - is standard input')
    .addHelpText(
      'after',
      '\nExample:\n  payments login --server http://127.0.0.1:3000 --client-id cl_01JF3Z…',
    )
    .action((options: LoginOptions, command: Command) =>
      login(context, { ...command.optsWithGlobals<GlobalOptions>(), ...options }),
    );
  program
    .command('logout')
    .summary('forget the credentials of a profile')
    .description('Deletes the credentials that `login` kept. The client itself stays valid at the service.')
    .option('--all', 'forget every profile')
    .addHelpText('after', '\nExample:\n  payments logout --profile staging')
    .action((options: { all?: true }, command: Command) =>
      logout(context, { ...command.optsWithGlobals<GlobalOptions>(), ...options }),
    );
  program
    .command('profiles')
    .summary('list the profiles that are kept')
    .description('Lists each profile with its address and client id. It never shows a secret.')
    .addHelpText('after', '\nExample:\n  payments profiles')
    .action((_options: unknown, command: Command) => listProfiles(context, command.optsWithGlobals()));
}

async function login(context: Context, options: GlobalOptions & LoginOptions): Promise<void> {
  const { env, stdin } = context;
  const name = nameProfile(context, options);
  const kept = readProfiles(context);
  const answer = (what: string, flag: string) => {
    if (!stdin.isTTY) throw wrongUse(`There is no ${what}. Give ${flag}`);
    return ask(context, `${what[0]?.toUpperCase()}${what.slice(1)}: `);
  };
  const url = readUrl(
    options.server ?? env['PAYMENTS_URL'] ?? (await answer('address of the service', '--server')),
  );
  const clientId =
    options.clientId ?? env['PAYMENTS_CLIENT_ID'] ?? (await answer('client id', '--client-id'));
  const clientSecret = await findSecret(context, options.secretFile);
  const profile: Profile = {
    url,
    clientId,
    clientSecret,
    webhookSecret: kept[name]?.webhookSecret ?? newWebhookSecret(),
  };
  await connect(context, profile, options).accessToken();
  writeProfiles(context, { ...kept, [name]: profile });
  const output = createOutput(context);
  if (options.json) output.json({ profile: name, url, client_id: clientId });
  else
    output.line(`Signed in at ${url} as ${clientId} (profile ${name}). Kept in ${credentialsFile(context)}`);
}

async function findSecret(context: Context, file: string | undefined): Promise<string> {
  if (file !== undefined) return readSecret(context, file);
  const given = context.env['PAYMENTS_CLIENT_SECRET'];
  if (given) return given;
  if (context.stdin.isTTY) {
    const typed = await ask(context, 'Client secret (not shown): ', { isHidden: true });
    if (typed !== '') return typed;
  }
  throw wrongUse(
    'There is no client secret. Set PAYMENTS_CLIENT_SECRET, or give --secret-file FILE (- is standard input)',
  );
}

/** Asks the person at the terminal. `isHidden`: nothing of the answer is shown. */
async function ask(context: Context, question: string, { isHidden = false } = {}): Promise<string> {
  const { stdin, stderr, signal } = context;
  stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: isHidden ? silent : stderr, terminal: isHidden });
  try {
    return (await reader.question('', { signal })).trim();
  } finally {
    reader.close();
    if (isHidden) stderr.write('\n');
  }
}

/** Returns the secret of a file, or of standard input (`-`): its first line. */
async function readSecret(context: Context, file: string): Promise<string> {
  const content = file === '-' ? await text(context.stdin) : readText('--secret-file', file);
  const [line = ''] = content.split('\n');
  if (line.trim() === '') throw wrongUse('The client secret is empty. The first line of the file must be it');
  return line.trim();
}

/** Returns a secret in the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

function logout(context: Context, options: GlobalOptions & { all?: true }): void {
  const name = nameProfile(context, options);
  const { [name]: gone, ...others } = readProfiles(context);
  if (!gone && !options.all) {
    const names = Object.keys(others).join(', ') || 'none';
    throw wrongUse(`There is no profile ${name}. Kept profiles: ${names}`);
  }
  writeProfiles(context, options.all ? {} : others);
  createOutput(context).line(options.all ? 'All profiles are forgotten' : `Profile ${name} is forgotten`);
}

function listProfiles(context: Context, options: GlobalOptions): void {
  const output = createOutput(context);
  const shown = Object.entries(readProfiles(context)).map(([profile, { url, clientId }]) => ({
    profile,
    url,
    client_id: clientId,
  }));
  if (options.json) return output.json(shown);
  if (shown.length === 0) return output.line('No profile is kept. Run `payments login`');
  for (const { profile, url, client_id: id } of shown) output.line(`${profile}  ${url}  ${id}`);
}
