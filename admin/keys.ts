import { createSigningKey, requireSecretsKey, tokensLiveMs } from '#issuer/keys.ts';
import {
  insertNextSigningKey,
  listSigningKeys,
  replaceSigningKeys,
  retireSigningKey,
  type SigningKey,
} from '#db/access/signing-keys.ts';
import { AdminError, UsageError, type Command, type Input, type Context, type Report } from './command.ts';
import { formatTable } from './report.ts';
import * as values from './values.ts';

/** Longer than readers cache the JWK set (its Cache-Control says 5 minutes). */
const publishedBeforeMs = 600_000;

export const keyCommands: readonly Command[] = [
  {
    name: 'keys list',
    isRead: true,
    summary: 'List the keys that sign and verify tokens, newest first',
    run: (_input, context) => list(context),
  },
  {
    name: 'keys rotate',
    summary: 'Publish a new key now, and sign with it later; tokens of the old key stay valid',
    options: {
      after: { value: 'DURATION', help: 'when it begins to sign (10m)' },
      now: {
        help: 'the new key replaces all others at once, and every existing token is refused within 5 s: for a key that leaked',
      },
    },
    run: rotate,
  },
  {
    name: 'keys retire',
    operands: ['KEY'],
    summary: 'Refuse the tokens of one key',
    run: retire,
  },
];

async function rotate(input: Input, context: Context): Promise<Report> {
  const after = values.duration(input, 'after');
  if (after !== undefined && input.options['now'])
    throw new UsageError('--now and --after exclude each other.');
  const secretsKey = context.secretsKey();
  await requireSecretsKey(context.db, secretsKey).catch((cause: Error) => {
    throw new AdminError(`${cause.message}: set it to the one that the API runs with.`, { cause });
  });
  const key = await createSigningKey(secretsKey);
  await (input.options['now']
    ? replaceSigningKeys(context.db, key)
    : insertNextSigningKey(context.db, key, after ?? publishedBeforeMs));
  return list(context);
}

async function retire({ operands: [kid = ''] }: Input, context: Context): Promise<Report> {
  const retirement = await retireSigningKey(context.db, kid);
  if (retirement === 'unknown')
    throw new AdminError(`There is no key ${kid}; \`npm run admin -- keys list\` lists them.`);
  if (retirement === 'needed') {
    throw new AdminError(
      'Without this key no token could be signed. Add another one with `keys rotate`, or replace it with `keys rotate --now`.',
    );
  }
  return list(context);
}

async function list({ db }: Context): Promise<Report> {
  const keys = await listSigningKeys(db, tokensLiveMs);
  const rows = keys.map((key) => [key.kid, toState(key), at(key.signsFrom), at(key.verifiesUntil)]);
  return {
    text: formatTable(
      ['KEY', 'STATE', 'SIGNS FROM', 'VERIFIES UNTIL'],
      rows,
      'There are no keys yet: the API makes the first.',
    ),
    json: keys.map((key) => ({
      kid: key.kid,
      state: toState(key),
      signs_from: key.signsFrom.toISOString(),
      verifies_until: key.verifiesUntil?.toISOString() ?? null,
    })),
  };
}

function toState(key: SigningKey): 'signs' | 'published' | 'verifies' {
  if (key.isCurrent) return 'signs';
  return key.signsUntil === null || key.signsFrom.getTime() > Date.now() ? 'published' : 'verifies';
}

const at = (time: Date | null) => time?.toISOString() ?? '-';
