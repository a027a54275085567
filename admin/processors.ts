import {
  deleteProcessorSecret,
  findProcessor,
  insertProcessor,
  insertProcessorSecret,
  listProcessors,
  openSecrets,
  replaceProcessorKey,
  setProcessorStatus,
  useBuiltIn,
  useProcessor,
  type SealedProcessor,
} from '#db/access/processors.ts';
import { newId } from '#db/new-id.ts';
import { isCurrentCurrency } from '#domain/currencies.ts';
import { AdminError, UsageError, type Command, type Context, type Input, type Report } from './command.ts';
import {
  askForAccount,
  checkNewKey,
  kinds,
  readSecretFile,
  requireKind,
  requireSameAccount,
} from './processor-keys.ts';
import { accounts } from './accounts.ts';
import { changeOne, reportRows, requireOne, statusCommands, type Noun } from './nouns.ts';
import { formatFacts, formatTable } from './report.ts';
import * as values from './values.ts';

const liveOptions = {
  live: { help: 'the key is a live one: it moves real money' },
  'live-on-loopback': {
    help: 'take a live key although this stack runs on this machine alone; needs --live',
  },
};

const keyFile = {
  value: 'FILE',
  help: 'the file that holds the key; its name never shows in a list of processes',
};

const processors: Noun<SealedProcessor> = { name: 'processor', find: findProcessor, describe };

/** A changed processor is noticed by each process within 30 s, a changed account within 5 s. */
export const processorCommands: readonly Command[] = [
  {
    name: 'processor create',
    summary: 'Register a processor with its key; accounts use it after `account use-processor`',
    options: {
      kind: { value: 'KIND', help: `one of: ${kinds}` },
      name: { value: 'NAME', help: 'its name, for operators' },
      'key-file': keyFile,
      url: { value: 'URL', help: "another address than the kind's own, for test keys" },
      option: { value: 'NAME=TEXT', help: 'a setting of its kind' },
      ...liveOptions,
    },
    run: create,
  },
  {
    name: 'processor list',
    isRead: true,
    summary: 'List all processors, oldest first',
    run: async (_input, { db }) =>
      reportRows(
        await listProcessors(db),
        {
          PROCESSOR: 'id',
          KIND: 'kind',
          MODE: 'mode',
          STATUS: 'status',
          'ACCOUNT THERE': 'externalAccount',
          NAME: 'name',
        },
        { nothing: 'No processor is registered: accounts use the built-in one, at PROCESSOR_URL.', present },
      ),
  },
  {
    name: 'processor check',
    isRead: true,
    operands: ['PROCESSOR'],
    summary: 'Ask a processor whether it takes the stored key',
    run: check,
  },
  ...statusCommands(
    processors,
    {
      disable: 'Send it no new charges; what it has taken is brought to its end',
      enable: 'Send it new charges again',
    },
    (db, { id }, status) => setProcessorStatus(db, id, status),
  ),
  {
    name: 'processor rotate-key',
    operands: ['PROCESSOR'],
    summary: 'Replace the key by another of the same account; revoke the old one after 30 s',
    options: { 'key-file': keyFile, ...liveOptions },
    run: rotateKey,
  },
  {
    name: 'processor add-webhook-secret',
    operands: ['PROCESSOR'],
    summary: 'Accept notifications that this secret signs, beside the others',
    options: { 'secret-file': { value: 'FILE', help: 'the file that holds the secret' } },
    run: addSecret,
  },
  {
    name: 'processor remove-webhook-secret',
    operands: ['PROCESSOR', 'SECRET'],
    summary: 'Accept no more notifications that this secret signs; named by its id',
    run: removeSecret,
  },
  {
    name: 'account use-processor',
    operands: ['ACCOUNT', 'PROCESSOR'],
    summary:
      'Send the new charges of an account to a processor, or to `built-in`; earlier ones stay where they are',
    options: {
      currencies: {
        value: 'CODES',
        help: 'only charges of these currencies, such as EUR,USD; the others stay with the processors before it (all)',
      },
    },
    run: use,
  },
];

async function create(input: Input, context: Context): Promise<Report> {
  const kind = requireKind(values.text(input, 'kind'));
  const name = values.text(input, 'name') ?? kind.kind;
  const url = readUrl(values.text(input, 'url'), context);
  const key = readSecretFile(input, 'key-file');
  const settings = { key, url, externalAccount: null, options: readOptions(values.text(input, 'option')) };
  const { mode, externalAccount } = await checkNewKey(kind, settings, input, context);
  if (mode === 'live' && url !== null)
    throw new AdminError("A live key is sent to the processor's own address only: leave --url out.");
  const id = newId('processor');
  const { options } = settings;
  const row = { id, kind: kind.kind, name, mode, externalAccount, url, options, key };
  await insertProcessor(context.db, context.secretsKey(), row);
  return describe(await requireOne(processors, context, id), context);
}

async function check({ operands: [id = ''] }: Input, context: Context): Promise<Report> {
  const processor = await requireOne(processors, context, id);
  const kind = requireKind(processor.kind);
  const { key } = openSecrets(context.secretsKey(), processor);
  const { url, externalAccount, options } = processor;
  const found = await askForAccount(kind, { key, url, externalAccount, options });
  requireSameAccount(processor, found);
  return describe(processor, context);
}

function rotateKey(input: Input, context: Context): Promise<Report> {
  return changeOne(processors, input, context, async (processor) => {
    const { id, url, externalAccount, options } = processor;
    const settings = { key: readSecretFile(input, 'key-file'), url, externalAccount, options };
    const found = await checkNewKey(requireKind(processor.kind), settings, input, context);
    requireSameAccount(processor, found);
    await replaceProcessorKey(context.db, context.secretsKey(), id, settings.key);
  });
}

function addSecret(input: Input, context: Context): Promise<Report> {
  return changeOne(processors, input, context, async ({ id: processorId }) => {
    const secret = {
      id: newId('processorSecret'),
      processorId,
      secret: readSecretFile(input, 'secret-file'),
    };
    await insertProcessorSecret(context.db, context.secretsKey(), secret);
  });
}

function removeSecret(input: Input, context: Context): Promise<Report> {
  const [, secretId = ''] = input.operands;
  return changeOne(processors, input, context, async ({ id }) => {
    if (await deleteProcessorSecret(context.db, id, secretId)) return;
    throw new AdminError(`The processor has no secret ${secretId}.`);
  });
}

async function use(input: Input, context: Context): Promise<Report> {
  const [accountId = '', processorId = ''] = input.operands;
  const currencies = readCurrencies(values.text(input, 'currencies'));
  await requireOne(accounts, context, accountId);
  if (processorId === 'built-in') {
    if (currencies)
      throw new UsageError('The built-in processor takes all currencies: leave --currencies out.');
    await useBuiltIn(context.db, accountId);
  } else {
    await requireOne(processors, context, processorId);
    await useProcessor(context.db, accountId, processorId, currencies);
  }
  const { processors: own } = await requireOne(accounts, context, accountId);
  const rows = own.map((one) => [one.id, one.status, one.currencies?.join(' ') ?? 'all']);
  return {
    text: formatTable(
      ['PROCESSOR', 'STATUS', 'CURRENCIES'],
      rows,
      'The account uses the built-in processor.',
    ),
    json: {
      account: accountId,
      processors: own.map(({ id, currencies: taken }) => ({ id, currencies: taken })),
    },
  };
}

function readUrl(text: string | undefined, { allowsPlainHttp }: Context): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = url !== null && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && (isLocal || allowsPlainHttp)))
    return text.replace(/\/$/, '');
  throw new UsageError(`--url ${text} is no https URL, nor one of this machine.`);
}

function readOptions(text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  const [, name, value] = /^([a-z_]+)=(.+)$/.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return { [name]: value };
  throw new UsageError(`--option ${text} is not NAME=TEXT.`);
}

function readCurrencies(text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const codes = text.split(/[\s,]+/).filter(Boolean);
  if (codes.length > 0 && codes.every(isCurrentCurrency)) return codes;
  throw new UsageError(`--currencies ${text} is not a list of ISO 4217 codes such as EUR,USD.`);
}

type Shown = Omit<SealedProcessor, 'key' | 'secrets'>;

function present(processor: Shown): Record<string, string | number | null> {
  const { id, kind, name, mode, status, externalAccount, url, secretCount, createdAt } = processor;
  return {
    id,
    kind,
    name,
    mode,
    status,
    external_account: externalAccount,
    url,
    webhook_secrets: secretCount,
    created: createdAt.toISOString(),
  };
}

function describe(processor: SealedProcessor, { publicUrl }: Context): Report {
  const path = `/processor/notifications/${processor.id}`;
  const secrets = processor.secrets.map(({ id }) => id);
  const text = formatFacts({
    Processor: processor.id,
    Kind: processor.kind,
    Name: processor.name,
    Mode: processor.mode,
    Status: processor.status,
    'Account there': processor.externalAccount,
    Address: processor.url ?? "the kind's own",
    'Webhook secrets': secrets.join(' ') || 'none: no notification is accepted',
    'Notifications to': `${publicUrl ?? ''}${path}`,
    Created: processor.createdAt.toISOString(),
  });
  return { text, json: { ...present(processor), secrets, notifications_path: path } };
}
