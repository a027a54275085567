import type { Logger } from 'pino';
import type { Lifecycle } from '#http/lifecycle.ts';
import type { HttpMetrics } from '#telemetry/http-metrics.ts';
import type { ConsoleConfig } from './config.ts';
import type { Sealing } from './sealing.ts';
import type { SignIn } from './session/sign-in.ts';

/** The dependencies of what the console serves. `server.ts` and the tests build them. */
export interface ConsoleDeps {
  config: ConsoleConfig;
  log: Logger;
  sealing: Sealing;
  signIn: SignIn;
  /** What this process knows of the API. */
  contact: Contact;
  lifecycle: Readonly<Lifecycle>;
  /** Whether spans are sent. (Default: none are) */
  isTraced?: boolean;
  /** (Default: no metrics) */
  metrics?: HttpMetrics;
}

export interface Contact {
  /** When the API answered last; `null`: not since the process started. */
  answeredAt: Date | null;
}
