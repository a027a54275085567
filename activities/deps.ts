import type { Client } from '@temporalio/client';
import type { BlobStore } from '#blobs/port.ts';
import type { SecretsKeys } from '#db/encryption.ts';
import type { Database } from '#db/knex.ts';
import type { StoredAnswer } from '#db/writes/idempotency-keys.ts';
import type { RowTask } from '#db/maintenance-faults.ts';
import type { Processors } from '#processor/registry.ts';
import type { Dispatcher } from '#webhooks/dispatcher.ts';

/** The dependencies of every activity; the worker opens them. */
export interface ActivityDeps {
  db: Database;
  processors: Processors;
  blobs: BlobStore;
  client: Client;
  /** Of the console, which runs link to. (Default: they have no link) */
  consoleUrl?: string | null;
  dispatcher: Dispatcher;
  /** Encrypts answers that show a secret, and signs the addresses that buyers come back to. */
  secretsKey: SecretsKeys;
  /** The base of links in stored problem documents and in events. */
  publicUrl: string;
  /** Milliseconds without anything to deliver after which an endpoint sleeps. */
  idleTimeoutMs: number;
  /** Gets each answer of a payment that a step has stored, after its commit. (Default: nobody gets them) */
  onAnswered?: ((claimId: string, answer: StoredAnswer) => void) | undefined;
  /** Calls to the processor that a batch has under way at once. */
  batchConcurrency: number;
  /** Milliseconds that an answered key is kept at least. */
  keyRetentionMs: number;
  /** Counts a row for which a task of maintenance failed. (Default: not counted) */
  onRowFailed?: (task: RowTask) => void;
}
