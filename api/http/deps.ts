import type { Logger } from 'pino';
import type { Config } from '#startup/config.ts';
import type { Database } from '#db/knex.ts';
import type { AddressGuard } from '#webhooks/address-guard.ts';
import type { HostedRuns } from '#worker/hosted-runs.ts';
import type { ProcessorNotification } from '#processor/port.ts';
import type { ProcessorRegistry } from '#processor/registry.ts';
import type { NewRequest } from '#db/access/requests.ts';
import type { Lifecycle } from '#http/lifecycle.ts';
import type { HttpMetrics } from '#telemetry/http-metrics.ts';
import type { BlobStore } from '#blobs/port.ts';
import type { Pages } from './pagination.ts';
import type { ResultLinks } from './result-links.ts';
import type { SigningKeys } from '#issuer/keys.ts';
import type { Revocations } from '#issuer/revocations.ts';
import type { TemporalGateway } from '#temporal/client/gateway.ts';
import type { TokenVerifier } from '#issuer/tokens.ts';

/** The dependencies of routes. `api/server.ts` and the tests build them. */
export interface ApiDeps {
  config: Config;
  db: Database;
  /** For the probe of readiness alone: it waits behind nothing. */
  probe: Database;
  log: Logger;
  temporal: TemporalGateway;
  /** Runs the first steps of charges and refunds in this process. */
  runs: Pick<HostedRuns, 'run'>;
  tokens: TokenVerifier;
  /** The keys of our own issuer; `null` if an outside issuer is trusted. */
  signingKeys: SigningKeys | null;
  revocations: Revocations;
  pages: Pages;
  resultLinks: ResultLinks;
  /** The store of results; the API only reads it. */
  blobs: Pick<BlobStore, 'read'>;
  /** They look tokens of cards up, take the first steps of inline charges, and notify. Their calls are bounded in time. */
  processors: ProcessorRegistry;
  /** Decides whether a URL may be a webhook endpoint, from the present addresses of its host. */
  webhookUrls: Pick<AddressGuard, 'findRefusal'>;
  /** (Default: the process does not stop) */
  lifecycle?: Readonly<Lifecycle>;
  /** Whether spans are sent. (Default: none are) */
  isTraced?: boolean;
  /** (Default: none is kept) */
  logRequest?: ((request: NewRequest) => void) | undefined;
  /** (Default: no metrics) */
  metrics?: HttpMetrics;
  /** Is told of every answer. (Default: nobody is) */
  onAnswer?: (status: number, isTurnedAway: boolean) => void;
  /** Stores a notification of the processor, and wakes its workflow. Rejects if it cannot be stored. */
  onProcessorNotification(notification: ProcessorNotification): Promise<void>;
}
