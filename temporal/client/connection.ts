import type { TLSConfig } from '@temporalio/client';

/** How every process reaches Temporal; both of the SDK's connections take it as it is. */
export interface TemporalConnection {
  /** HOST:PORT */
  address: string;
  /** Left out: plain gRPC. */
  tls?: TLSConfig;
  /** Sent with each call as `authorization: Bearer …`. A secret. */
  apiKey?: string;
}
