import { randomBytes } from 'node:crypto';
import { hashSecret } from '#issuer/client-secrets.ts';
import { revokedForMs } from '#issuer/revocations.ts';
import { listAccounts } from '#db/access/accounts.ts';
import { newId } from '#db/new-id.ts';
import {
  buildClientStatus,
  findOAuthClient,
  insertOAuthClient,
  listOAuthClients,
  rotateSecret,
  updateOAuthClient,
  type OAuthClient,
} from '#db/access/oauth-clients.ts';
import { commitEffect } from '#db/writes/effects.ts';
import {
  AdminError,
  UsageError,
  type Command,
  type Context,
  type Input,
  type Option,
  type Report,
} from './command.ts';
import { changeOne, reportRows, requireOne, showCommand, statusCommands, type Noun } from './nouns.ts';
import { readPublicKeys } from './public-keys.ts';
import { formatFacts } from './report.ts';
import { scopeGaps } from '#api/scope-gaps.ts';
import * as values from './values.ts';

/** How long the old secret is valid beside the new one. (Default: 24 hours) */
const overlapMs = 86_400_000;

const settings: Record<string, Option> = {
  scopes: {
    value: 'SCOPES',
    help: 'its scopes: `all`, `read`, `write`, or "charges:read charges:write"',
  },
  'public-keys': {
    value: 'FILE',
    help: 'its public keys (JWK, JWK set or PEM), for private_key_jwt; `none` removes them',
  },
  refresh: { value: 'on|off', help: 'whether it gets refresh tokens (off)' },
};

const clients: Noun<OAuthClient> = {
  name: 'client',
  find: findOAuthClient,
  describe: (client) => describe(client),
};

export const clientCommands: readonly Command[] = [
  {
    name: 'client create',
    operands: ['ACCOUNT', 'NAME'],
    summary: 'Create a client of an account; with --public-keys it has no secret',
    options: settings,
    run: create,
  },
  {
    name: 'client list',
    isRead: true,
    operands: ['[ACCOUNT]'],
    summary: 'List the clients, oldest first',
    run: async ({ operands: [account = ''] }, { db }) =>
      reportRows(
        await listOAuthClients(db, account || null),
        {
          CLIENT: 'id',
          ACCOUNT: ({ kind, accountId }) => accountId ?? `(${kind})`,
          STATUS: 'status',
          NAME: 'name',
          LACKS: ({ scopes }) => scopeGaps(scopes).join(' ') || '-',
        },
        { nothing: 'There are no clients yet.', present },
      ),
  },
  showCommand(clients, 'Show a client, without its secrets'),
  {
    name: 'client set',
    operands: ['CLIENT'],
    summary: 'Change a client; existing tokens keep their scopes',
    options: { name: { value: 'NAME', help: 'its name' }, ...settings },
    run: change,
  },
  {
    name: 'client rotate-secret',
    operands: ['CLIENT'],
    summary: 'Give a client a new secret; the old one stays valid for a time',
    options: {
      overlap: { value: 'DURATION', help: 'how long the old one stays valid (24h)' },
      now: { help: 'the old one ends at once, for one that leaked' },
    },
    run: rotate,
  },
  ...statusCommands(
    clients,
    {
      disable: 'Revoke its tokens within 5 s, and refuse it new ones',
      enable: 'Give it tokens again; old ones stay revoked',
    },
    (db, read, status) => commitEffect(db, buildClientStatus(read, status, revokedForMs), {}),
  ),
];

async function create(input: Input, context: Context): Promise<Report> {
  const [accountId = '', name = ''] = input.operands;
  if ((await listAccounts(context.db, accountId)).length === 0)
    throw new AdminError(`There is no account ${accountId}; create one with \`account create NAME\`.`);
  const granted = values.scopes(input, 'scopes');
  if (!granted) throw new UsageError('Name its scopes: --scopes all, --scopes read, or some by name.');
  const jwks = (await publicKeysIn(input)) ?? null;
  const secret = jwks ? null : newSecret();
  const id = newId('client');
  await insertOAuthClient(context.db, {
    id,
    accountId,
    name,
    scopes: granted,
    secretHash: secret && hashSecret(secret),
    jwks,
    refreshTokens: values.onOrOff(input, 'refresh') ?? false,
  });
  return describe(await requireOne(clients, context, id), secret);
}

async function change(input: Input, context: Context): Promise<Report> {
  const changes = values.given({
    name: values.text(input, 'name'),
    scopes: values.scopes(input, 'scopes'),
    refreshTokens: values.onOrOff(input, 'refresh'),
    jwks: await publicKeysIn(input),
  });
  values.requireSome(changes);
  return changeOne(clients, input, context, ({ id }) => updateOAuthClient(context.db, id, changes));
}

async function rotate(input: Input, context: Context): Promise<Report> {
  const overlap = values.duration(input, 'overlap');
  const isNow = input.options['now'] === true;
  if (overlap !== undefined && isNow) throw new UsageError('--now and --overlap exclude each other.');
  const secret = newSecret();
  const { id } = await requireOne(clients, context, input.operands[0] ?? '');
  await rotateSecret(context.db, id, hashSecret(secret), isNow ? 0 : (overlap ?? overlapMs));
  const hint = isNow
    ? '\n\nTokens from the old secret stay valid for up to 10 minutes; `client disable` and then `client enable` end them.'
    : '';
  const report = describe(await requireOne(clients, context, id), secret);
  return { ...report, text: report.text + hint };
}

/** Returns the keys of `--public-keys`, `null` for `none`, and `undefined` if the option is missing. */
async function publicKeysIn(input: Input): Promise<OAuthClient['jwks'] | undefined> {
  const file = values.text(input, 'public-keys');
  if (file === undefined || file === 'none') return file === undefined ? undefined : null;
  return readPublicKeys(file);
}

/** Returns 256 random bits, in characters that no encoding changes. */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function present(client: OAuthClient): object {
  return {
    id: client.id,
    kind: client.kind,
    account: client.accountId,
    name: client.name,
    status: client.status,
    scopes: client.scopes,
    lacking_scopes: scopeGaps(client.scopes),
    secrets: client.secretHashes.length,
    previous_secret_expires: client.previousSecretExpiresAt?.toISOString() ?? null,
    public_keys: client.jwks?.keys.map((key) => ({ kid: key['kid'], alg: key['alg'] })) ?? [],
    refresh_tokens: client.refreshTokens,
    created: client.createdAt.toISOString(),
  };
}

function describe(client: OAuthClient, secret: string | null = null): Report {
  const { previousSecretExpiresAt: previous } = client;
  const gaps = scopeGaps(client.scopes);
  const text = formatFacts({
    Client: client.id,
    Secret: secret && `${secret}   (shown only now)`,
    'Old secret': previous && `valid until ${previous.toISOString()}`,
    Account: client.accountId,
    Name: client.name,
    Status: client.accountStatus === 'active' ? client.status : `${client.status}, and its account disabled`,
    Scopes: client.scopes.join(' '),
    Lacks: gaps.length === 0 ? null : `${gaps.join(' ')}   (some requests of its scopes also need these)`,
    'Public keys': client.jwks?.keys.map((key) => `${String(key['kid'])} (${String(key['alg'])})`).join(', '),
    'Refresh tokens': client.refreshTokens ? 'on' : 'off',
    Created: client.createdAt.toISOString(),
  });
  return { text, json: { ...present(client), ...(secret !== null && { secret }) } };
}
