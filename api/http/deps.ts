import type { Logger } from 'pino';
import type { Config } from '#startup/config.ts';
import type { Database } from '#db/knex.ts';
import type { AddressGuard } from '#webhooks/address-guard.ts';
import type { NotificationParser, PaymentProcessor, ProcessorNotification } from '#processor/port.ts';
import type { HttpMetrics } from '#telemetry/http-metrics.ts';
import type { BlobStore } from '#blobs/port.ts';
import type { Pages } from './pagination.ts';
import type { ResultLinks } from './result-links.ts';
import type { SigningKeys } from '#issuer/keys.ts';
import type { Revocations } from '#issuer/revocations.ts';
import type { TemporalGateway } from '#temporal/client/gateway.ts';
import type { TokenVerifier } from '#issuer/tokens.ts';

/** Whether the process has been told to stop: it still serves, and asks everybody to go elsewhere next. */
export interface Lifecycle {
  isStopping: boolean;
}

/** What routes are made from. `api/server.ts` and the tests put it together. */
export interface ApiDeps {
  config: Config;
  db: Database;
  log: Logger;
  temporal: TemporalGateway;
  tokens: TokenVerifier;
  /** Our own issuer's keys; `null` when an outside issuer is trusted. */
  signingKeys: SigningKeys | null;
  revocations: Revocations;
  pages: Pages;
  resultLinks: ResultLinks;
  /** Where results are kept; the API only reads them. */
  blobs: Pick<BlobStore, 'read'>;
  /** What the API itself asks the processor: it moves no money, and each call is bounded in time. */
  processor: Pick<PaymentProcessor, 'describeToken'>;
  /** Whether webhook endpoints may be registered at a URL, as its host is known now. */
  webhookUrls: Pick<AddressGuard, 'refusalOf'>;
  notifications: NotificationParser;
  /** (Default: it never stops) */
  lifecycle?: Readonly<Lifecycle>;
  /** Spans are sent. (Default: none) */
  isTraced?: boolean;
  /** (Default: nobody counts) */
  metrics?: HttpMetrics;
  /** Stores a notification of the processor, and has its workflow hear of it. Rejects where it cannot be stored. */
  onProcessorNotification(notification: ProcessorNotification): Promise<void>;
}
