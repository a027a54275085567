import { toRow } from '../columns.ts';
import { decryptSecret, encryptSecret, type SecretsKeys } from '../encryption.ts';
import { findRow, prepared, type Database } from '../knex.ts';
import type { ProcessorStatus } from '#domain/processors.ts';

/** The processors that operators register, with their keys, each encrypted for its own row. */

export interface ProcessorRecord {
  id: string;
  kind: string;
  name: string;
  mode: 'test' | 'live';
  externalAccount: string;
  /** `null`: the kind's own. */
  url: string | null;
  /** Settings of its kind. */
  options: Record<string, string>;
  status: ProcessorStatus;
  version: number;
  createdAt: Date;
  /** How many secrets may sign its notifications. */
  secretCount: number;
}

const columns = `p.id, p.kind, p.name, p.mode, p.external_account, p.url, p.options, p.status, p.version, p.created_at,
  (select count(*) from processor_secrets s where s.processor_id = p.id) as secret_count`;

const toKeyContext = (id: string) => `processors/${id}`;
const toSecretContext = (id: string) => `processor_secrets/${id}`;

/** A processor with its secrets still encrypted. */
export interface SealedProcessor extends ProcessorRecord {
  key: Buffer;
  secrets: { id: string; secret: string }[];
}

/** Returns a processor with its secrets, or `null` if there is none. */
export function findProcessor(db: Database, id: string): Promise<SealedProcessor | null> {
  return findRow<SealedProcessor & Record<string, unknown>>(
    db,
    'find-processor',
    `select ${columns}, p.key, (
       select coalesce(json_agg(json_build_object('id', s.id, 'secret', encode(s.secret, 'base64')) order by s.id), '[]')
       from processor_secrets s where s.processor_id = p.id) as secrets
     from processors p where p.id = $1`,
    [id],
  );
}

/** @throws {Error} if no key of `SECRETS_KEY` decrypts them. */
export function openSecrets(
  keys: SecretsKeys,
  { id, key, secrets }: SealedProcessor,
): { key: string; notificationSecrets: string[] } {
  return {
    key: decryptSecret(keys, toKeyContext(id), key),
    notificationSecrets: secrets.map((one) =>
      decryptSecret(keys, toSecretContext(one.id), Buffer.from(one.secret, 'base64')),
    ),
  };
}

/** Lists processors, oldest first. */
export function listProcessors(db: Database): Promise<ProcessorRecord[]> {
  return prepared(db, 'list-processors', `select ${columns} from processors p order by p.id`, []);
}

type NewProcessor = Omit<ProcessorRecord, 'status' | 'version' | 'createdAt' | 'secretCount'> & {
  key: string;
};

export async function insertProcessor(
  db: Database,
  keys: SecretsKeys,
  processor: NewProcessor,
): Promise<void> {
  const key = encryptSecret(keys, toKeyContext(processor.id), processor.key);
  await db('processors').insert(toRow({ ...processor, options: JSON.stringify(processor.options), key }));
}

/** Returns whether there is such a processor. */
export function setProcessorStatus(db: Database, id: string, status: ProcessorStatus): Promise<boolean> {
  return change(db, id, { status });
}

/** Replaces the key. Each process uses it within 30 s. */
export async function replaceProcessorKey(
  db: Database,
  keys: SecretsKeys,
  id: string,
  key: string,
): Promise<void> {
  await change(db, id, { key: encryptSecret(keys, toKeyContext(id), key) });
}

/** Adds a secret that may sign notifications of the processor. */
export async function insertProcessorSecret(
  db: Database,
  keys: SecretsKeys,
  secret: { id: string; processorId: string; secret: string },
): Promise<void> {
  const sealed = encryptSecret(keys, toSecretContext(secret.id), secret.secret);
  await db.transaction(async (trx) => {
    await trx('processor_secrets').insert(toRow({ ...secret, secret: sealed }));
    await change(trx, secret.processorId);
  });
}

/** Returns whether the processor had such a secret. */
export async function deleteProcessorSecret(
  db: Database,
  processorId: string,
  secretId: string,
): Promise<boolean> {
  return db.transaction(async (trx) => {
    const deleted = await trx('processor_secrets')
      .where({ id: secretId, processor_id: processorId })
      .delete();
    if (deleted > 0) await change(trx, processorId);
    return deleted > 0;
  });
}

/** Counts a change of the processor or of its secrets, so that each process reads them again. */
async function change(db: Database, id: string, values: object = {}): Promise<boolean> {
  const version = db.raw('version + 1');
  const changed = await db('processors')
    .where({ id })
    .update({ ...values, version });
  return changed > 0;
}

/**
 * Makes a processor the first that the account's new charges go to.
 *
 * @param currencies it takes these only, and the account's other processors stay behind it; `null`: it takes all, and the
 *   others are taken away.
 */
export async function useProcessor(
  db: Database,
  accountId: string,
  processorId: string,
  currencies: string[] | null,
): Promise<void> {
  await db.transaction(async (trx) => {
    const own = trx('account_processors').where({ account_id: accountId });
    await (currencies ? own.clone().where({ processor_id: processorId }) : own.clone()).delete();
    const [first] = await own.clone().min<{ min: number | null }[]>('position');
    await trx('account_processors').insert({
      account_id: accountId,
      processor_id: processorId,
      position: (first?.min ?? 1) - 1,
      currencies,
    });
  });
}

/** The account's new charges go to the built-in processor again. */
export async function useBuiltIn(db: Database, accountId: string): Promise<void> {
  await db('account_processors').where({ account_id: accountId }).delete();
}
