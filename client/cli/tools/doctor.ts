import type { Command } from 'commander';
import type { Context, GlobalOptions } from '../context.ts';
import { CliError } from '../exits.ts';
import type { Document } from '../operations/document.ts';
import { createOutput } from '../output.ts';
import { connect, findProfile } from '../session/connection.ts';
import { nameProfile } from '../session/profiles.ts';
import {
  checkCredentials,
  checkEndpoints,
  checkFile,
  checkReceiver,
  checkService,
  checkVersions,
} from './checks.ts';
import type { Setup } from './checks.ts';
import { sayFinding, type Finding } from './findings.ts';
import { findSecret, readTarget } from './listen.ts';

interface DoctorOptions extends GlobalOptions {
  webhook?: string;
  secretFile?: string;
  endpoints?: boolean;
}

/** Adds `doctor`. */
export function addDoctor(program: Command, context: Context, document: Document): void {
  program
    .command('doctor')
    .summary('find what is wrong with your set-up')
    .description(
      'Looks at the credentials, the service, the clocks, the versions and the webhooks, and says what to do. It says ' +
        'whether the account is a live one, and warns if its address or its profile is of the other kind. Each webhook ' +
        'endpoint of the account gets an event endpoint.test.',
    )
    .option('--webhook <url>', 'also try your receiver: it must take a signed event, and refuse a forged one')
    .option('--secret-file <file>', 'a file with the webhook secret (default: as of `payments listen`)')
    .option('--no-endpoints', 'send no test events')
    .addHelpText('after', '\nExample:\n  payments doctor --webhook http://127.0.0.1:4000/webhooks')
    .action((_options: unknown, command: Command) =>
      examine(context, command.optsWithGlobals<DoctorOptions>(), {
        version: document.info.version,
        scopes: listScopes(document),
      }),
    );
}

function listScopes({ paths }: Document): string[] {
  const needed = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(
      (operation) => (operation as { security?: { oauth2?: string[] }[] } | null)?.security ?? [],
    ),
  );
  return [...new Set(needed.flatMap(({ oauth2 }) => oauth2 ?? []))].toSorted();
}

async function examine(context: Context, options: DoctorOptions, document: Setup['document']): Promise<void> {
  const profile = findProfile(context, options);
  const connection = connect(context, profile, { maxRetries: 1, ...options });
  const webhook =
    options.webhook === undefined
      ? null
      : { url: readTarget(options.webhook), secret: findSecret(context, options.secretFile, profile) };
  const findings = await look(
    { context, connection, profile, profileName: nameSource(context, options), document, webhook },
    options.endpoints !== false,
  );
  const output = createOutput(context);
  if (options.json) output.json(findings);
  else for (const found of findings) output.line(sayFinding(output, found));
  const wrong = findings.filter(({ result }) => result === 'wrong').length;
  if (wrong > 0)
    throw new CliError('refused', wrong === 1 ? 'One thing is wrong' : `${wrong} things are wrong`);
}

/** Returns the name of the profile that the secret is of; `null`: it is of the environment. */
function nameSource(context: Context, options: GlobalOptions): string | null {
  const isFromEnv = options.profile === undefined && Boolean(context.env['PAYMENTS_CLIENT_SECRET']);
  return isFromEnv ? null : nameProfile(context, options);
}

/** Without an answer, or without a token, there is nothing more to see. */
async function look(setup: Setup, withEndpoints: boolean): Promise<Finding[]> {
  const isWrong = (findings: Finding[]) =>
    findings.some(({ check, result }) => check !== 'clock' && result === 'wrong');
  const file = checkFile(setup);
  const service = await checkService(setup);
  const receiver = await checkReceiver(setup);
  if (isWrong(service)) return [...file, ...service, ...receiver];
  const credentials = await checkCredentials(setup);
  if (isWrong(credentials)) return [...file, ...service, ...credentials, ...receiver];
  const versions = await checkVersions(setup);
  const endpoints = withEndpoints ? await checkEndpoints(setup) : [];
  return [...file, ...service, ...credentials, ...versions, ...endpoints, ...receiver];
}
