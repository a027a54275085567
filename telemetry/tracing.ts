import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  RandomIdGenerator,
  type IdGenerator,
} from '@opentelemetry/sdk-trace-base';

/**
 * Sends spans to a collector. Loaded only with a collector: without it the API of OpenTelemetry does
 * nothing, and costs as much.
 */
export interface Tracing {
  ids: ChosenIds;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** @param endpoint the collector's base, as OTEL_EXPORTER_OTLP_ENDPOINT has it. */
export function startTracing(service: string, endpoint: string): Tracing {
  const ids = new ChosenIds();
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  // The sampler is the one of OTEL_TRACES_SAMPLER; by default a caller's decision is kept, and the rest is taken.
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return { ids, close: () => provider.shutdown() };
}

/**
 * Random ids, but for a span whose id others knew before it was made: a workflow's, which its steps name as their
 * parent in whichever process they run, and which ends days later in yet another.
 */
export class ChosenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #spanId: string | null = null;

  generateTraceId(): string {
    return this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.#spanId ?? this.#random.generateSpanId();
  }

  /** `start` makes one span, at once. */
  withSpanId<T>(spanId: string, start: () => T): T {
    this.#spanId = spanId;
    try {
      return start();
    } finally {
      this.#spanId = null;
    }
  }
}
