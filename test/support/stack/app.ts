import { addAnswer, noFigures, type ServiceFigures } from '#domain/figures/service.ts';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import knex from 'knex';
import { createAddressGuard } from '#webhooks/address-guard.ts';
import { createApp } from '#api/app.ts';
import type { ApiDeps } from '#api/http/deps.ts';
import { createListReads } from '#api/limits/list-reads.ts';
import { describeRefusalAt } from '#api/refusal.ts';
import { startHttpServer, stopHttpServer } from '#http/http-server.ts';
import { hashSecret } from '#issuer/client-secrets.ts';
import { openSigningKeys, type SigningKeys } from '#issuer/keys.ts';
import { createOutsideKeys } from '#issuer/outside-issuer.ts';
import { Revocations } from '#issuer/revocations.ts';
import { createPages } from '#api/http/pagination.ts';
import { createResultLinks } from '#api/http/result-links.ts';
import { scopes, type Scope } from '#domain/scopes.ts';
import type { Route } from '#api/http/route.ts';
import { createRoutes } from '#api/routes.ts';
import { TemporalGateway } from '#temporal/client/gateway.ts';
import { createTokenVerifier } from '#issuer/tokens.ts';
import { openBlobs } from '#blobs/open.ts';
import { readConfig, type Config } from '#startup/config.ts';
import { openApiDatabases } from '#startup/databases.ts';
import { openProcessors } from '#startup/processors.ts';
import { insertAccount } from '#db/access/accounts.ts';
import type { Database } from '#db/knex.ts';
import { migrate } from '#db/migrate.ts';
import { newId } from '#db/new-id.ts';
import { insertOAuthClient, type NewOAuthClient } from '#db/access/oauth-clients.ts';
import { startPostgres, type Postgres } from '#local/postgres/postgres.ts';
import { createLogger } from '#telemetry/log.ts';
import { atEnd } from './at-end.ts';

/**
 * The API in this process, on a free port and a database of its own, with routes of the test's choice and
 * without a Temporal service: for what the API does by itself.
 */

export const processorSecret = 'the-secret-of-the-processor';

export interface TestClient {
  accountId: string;
  id: string;
  secret: string;
}

/** (Default: every scope, a secret, no refresh tokens) */
export interface ClientOptions {
  scopes?: string[];
  jwks?: NewOAuthClient['jwks'];
  refreshTokens?: boolean;
}

export interface TestApi {
  url: string;
  config: Config;
  db: Database;
  /** The connection of `/readyz`. */
  probe: Database;
  signingKeys: SigningKeys;
  /** Of an account of its own. */
  client: TestClient;
  /** Everything that was logged, a line each. */
  logLines: string[];
  /** Keys of the processor's notifications that were taken. */
  notified: string[];
  /** What it counted of its answers. */
  figures: ServiceFigures;
  /** An account and a client of it. */
  createClient(options?: ClientOptions): Promise<TestClient>;
  /** A token with every scope of the client, or with the ones given. */
  takeToken(client?: TestClient, scope?: Scope): Promise<string>;
  stop(): Promise<void>;
}

let postgres: Promise<Postgres> | null = null;

/** Returns the server that `DATABASE_URL` names, else one for all files of this process. */
async function findServer(): Promise<string> {
  if (process.env['DATABASE_URL']) return process.env['DATABASE_URL'];
  postgres ??= startServer();
  return (await postgres).url;
}

async function startServer(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'payments-test-'));
  const files = { dataDir: join(folder, 'postgres'), logFile: join(folder, 'postgres.log') };
  const server = await startPostgres({ ...files, isDurable: false, log: () => undefined });
  atEnd(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return server;
}

let template: Promise<string> | null = null;

/** A database with the schema, of which others are copied: that takes a fifth of the time of all migrations. */
async function makeTemplate(): Promise<string> {
  const name = randomName();
  await runAtServer(`create database ${name}`);
  await migrate(await toDatabaseUrl(name));
  atEnd(() => runAtServer(`drop database ${name} with (force)`));
  return name;
}

const randomName = () => `test_${randomBytes(6).toString('hex')}`;

async function toDatabaseUrl(name: string): Promise<string> {
  const url = new URL(await findServer());
  url.pathname = `/${name}`;
  return url.href;
}

async function runAtServer(statement: string): Promise<void> {
  const db = knex({ client: 'pg', connection: await findServer(), pool: { min: 0, max: 1 } });
  try {
    await db.raw(statement);
  } finally {
    await db.destroy();
  }
}

/** A database of its own in that server, with the schema. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = randomName();
  template ??= makeTemplate();
  await runAtServer(`create database ${name} template ${await template}`);
  return { url: await toDatabaseUrl(name), drop: () => runAtServer(`drop database ${name} with (force)`) };
}

export async function startApi(
  options: {
    /** The routes of accounts, and others besides those of the service. */
    routes?: (deps: ApiDeps) => Route[];
    env?: Record<string, string>;
    /** (Default: as in production) */
    stalledReaderMs?: number;
  } = {},
): Promise<TestApi> {
  const database = await createTestDatabase();
  const base = readConfig({
    PORT: '0',
    DATABASE_URL: database.url,
    PROCESSOR_URL: 'http://127.0.0.1:9',
    PROCESSOR_SECRET: processorSecret,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'debug',
    AUTH_FAILURES_PER_MINUTE: '100000',
    PUBLIC_PAGES_PER_SECOND: '100000',
    ...options.env,
  });
  const { db, lists, probe } = openApiDatabases(base);
  const signingKeys = await openSigningKeys(db, base.secretsKey);
  const revocations = new Revocations(db);
  // Nothing listens there: Temporal is down for these tests.
  const temporal = new TemporalGateway({
    connection: { address: '127.0.0.1:9' },
    namespace: 'none',
  });
  const processors = openProcessors({ db, config: base });
  const blobs = await openBlobs(base.blobs);
  const logLines: string[] = [];
  const notified: string[] = [];
  const figures = noFigures();
  let config = base;
  const { server, port } = await startHttpServer(
    {
      ...base,
      longestWaitMs: base.syncWindowMs,
      ...(options.stalledReaderMs !== undefined && { stalledReaderMs: options.stalledReaderMs }),
    },
    (listeningOn) => {
      const path = options.env?.['PUBLIC_URL'] ? new URL(base.publicUrl).pathname : '';
      const publicUrl = `http://127.0.0.1:${listeningOn}${path}`;
      const own = { issuer: publicUrl, audience: publicUrl, external: false };
      config = { ...base, publicUrl, auth: base.auth.external ? base.auth : own };
      const { issuer, external } = config.auth;
      const deps: ApiDeps = {
        config,
        db,
        probe,
        log: createLogger('api', config.logLevel, { write: (line) => void logLines.push(line) }),
        temporal,
        runs: { run: () => Promise.resolve('not_started') },
        signingKeys: external ? null : signingKeys,
        revocations,
        tokens: createTokenVerifier(
          config.auth,
          external ? createOutsideKeys(issuer) : signingKeys,
          revocations,
        ),
        pages: createPages(config.secretsKey, createListReads(config, lists)),
        resultLinks: createResultLinks(config.secretsKey, publicUrl),
        blobs,
        processors,
        webhookUrls: createAddressGuard({ allowLoopback: config.webhooksAllowLoopback }),
        onAnswer: (status, isTurnedAway) => addAnswer(figures, status, isTurnedAway),
        onProcessorNotification: ({ key, paymentRef }) =>
          Promise.resolve(void notified.push(String(key ?? paymentRef))),
      };
      const others = createRoutes(deps).filter(({ caller }) => caller !== 'account');
      const routes = [...others, ...(options.routes?.(deps) ?? [])];
      return { listener: createApp(deps, routes).callback(), describeRefusal: describeRefusalAt(publicUrl) };
    },
  );
  const url = `http://127.0.0.1:${port}`;
  const createClient: TestApi['createClient'] = (of = {}) => insertClient(db, of);
  const client = await createClient();
  return {
    url,
    config,
    db,
    probe,
    signingKeys,
    client,
    logLines,
    notified,
    figures,
    createClient,
    takeToken: (of = client, scope) => takeToken(url, of, scope),
    async stop() {
      await stopHttpServer(server, 1_000);
      await temporal.close();
      await processors.close();
      await Promise.all([db, lists, probe].map((each) => each.destroy()));
      await database.drop();
    },
  };
}

async function insertClient(db: Database, of: ClientOptions): Promise<TestClient> {
  const client = {
    accountId: newId('account'),
    id: newId('client'),
    secret: randomBytes(32).toString('base64url'),
  };
  await insertAccount(db, { id: client.accountId, name: 'Test' });
  await insertOAuthClient(db, {
    id: client.id,
    accountId: client.accountId,
    name: 'Test',
    scopes: of.scopes ?? [...scopes],
    secretHash: of.jwks ? null : hashSecret(client.secret),
    jwks: of.jwks ?? null,
    refreshTokens: of.refreshTokens ?? false,
  });
  return client;
}

async function takeToken(url: string, client: TestClient, scope?: Scope): Promise<string> {
  const response = await fetch(`${url}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.id,
      client_secret: client.secret,
      ...(scope && { scope }),
    }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}
