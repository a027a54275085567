import type { Logger } from 'pino';
import { currentTimeMs } from '#db/clock.ts';
import { findProcessor, listProcessors, openSecrets } from '#db/access/processors.ts';
import type { SecretsKeys } from '#db/encryption.ts';
import type { Database } from '#db/knex.ts';
import type { StoredProcessor } from '#processor/opened.ts';
import { ProcessorRegistry } from '#processor/registry.ts';
import type { FigureRecorder } from '#telemetry/figure-recorder.ts';
import type { WorkMetrics } from '#telemetry/work-metrics.ts';
import type { Config } from './config.ts';

interface RegistryParts {
  db: Database;
  config: Pick<Config, 'processor' | 'secretsKey'>;
  /** (Default: nothing is logged) */
  log?: Logger;
  metrics?: WorkMetrics | null;
  /** Counts calls for operators. (Default: they are not counted) */
  figures?: Pick<FigureRecorder, 'called'>;
}

/** Opens the registry of a process: the built-in processor of the settings, and those that operators registered. */
export function openProcessors({ db, config, log, metrics, figures }: RegistryParts): ProcessorRegistry {
  const keepEvidence = createEvidenceLog(log);
  return new ProcessorRegistry({
    builtIn: toBuiltIn(config.processor),
    read: (id) => readStored(db, config.secretsKey, id),
    onCall(processor, call, outcome, seconds, evidence) {
      metrics?.processorCalled(processor, call, outcome, seconds);
      figures?.called(call, seconds * 1_000, outcome.startsWith('processor_'));
      if (evidence !== null) keepEvidence({ processor, call, outcome, evidence });
    },
    onState({ processor, state }, reason) {
      metrics?.circuitChanged(processor, state);
      if (state === 'closed') log?.info({ processor }, 'the processor answers again');
      else if (state === 'open')
        log?.warn({ processor }, 'the processor does not answer: few calls are made');
      else log?.error({ processor, reason }, 'the processor cannot be used: no charge is begun with it');
    },
    now: currentTimeMs,
  });
}

/** What is known of an answer that could not be used. */
export interface Evidence {
  processor: string;
  call: string;
  outcome: string;
  /** Without secrets and card data. */
  evidence: string;
}

/** A processor that answers badly does so often. Its answers are logged this far apart, in milliseconds. */
const evidenceEveryMs = 1_000;

/** Logs answers that could not be used, so that an operator can see what came. At most one a second. */
export function createEvidenceLog(log: Logger | undefined): (evidence: Evidence) => void {
  let lastMs = -Infinity;
  return (evidence) => {
    if (performance.now() - lastMs < evidenceEveryMs) return;
    lastMs = performance.now();
    log?.warn(evidence, 'an answer of the processor cannot be used');
  };
}

/** Opens the active processors, so that a key which is refused is told at the start, and not by the first charge. */
export async function openActive(db: Database, registry: ProcessorRegistry): Promise<void> {
  const active = (await listProcessors(db)).filter(({ status }) => status === 'active');
  await Promise.all(active.map(({ id }) => registry.of(id)));
}

function toBuiltIn(settings: Config['processor']) {
  if (!settings) return null;
  const { url, secret, notificationSecrets } = settings;
  return { kind: 'sandbox', settings: { key: secret, url, externalAccount: null }, notificationSecrets };
}

async function readStored(db: Database, keys: SecretsKeys, id: string): Promise<StoredProcessor | null> {
  const row = await findProcessor(db, id);
  if (!row) return null;
  const { kind, url, externalAccount, options, version } = row;
  const { key, notificationSecrets } = openSecrets(keys, row);
  return { kind, settings: { key, url, externalAccount, options }, notificationSecrets, version };
}
