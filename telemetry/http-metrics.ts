import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Seconds: a read takes a few milliseconds, a charge a dozen, and the default window of a caller is 10 s. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/** Methods that are labels. Node's parser accepts three dozen, and strangers choose among them. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Why a valid request was not served. */
export type Refusal = 'shed' | 'rate_limited';

export interface ServedRequest {
  method: string;
  /** The route's template, never the path: the number of ids has no limit. `null`: no route matched. */
  route: string | null;
  status: number;
  refusal: Refusal | null;
}

/** The API's metrics of the requests that it serves. */
export class HttpMetrics {
  readonly #seconds: Histogram;
  readonly #refused: Counter;
  readonly #begun: Counter;
  /** Series by their labels: the library would sort and join the labels at each request. */
  readonly #series = new Map<string, ReturnType<Histogram['labels']>>();
  readonly #notLogged: Counter;
  #inFlight = 0;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#seconds = new Histogram({
      name: 'payments_http_request_seconds',
      help: 'Requests by route template, method and class of status, with the time to their answer.',
      labelNames: ['method', 'route', 'status'],
      buckets,
      registers,
    });
    this.#refused = new Counter({
      name: 'payments_http_refused_total',
      help: 'Requests that were turned away: for the load of the service, or their own too high rate.',
      labelNames: ['reason'],
      registers,
    });
    this.#begun = new Counter({
      name: 'payments_writes_begun_total',
      help: 'New charges and refunds by the way of their first steps: inline, eager (a run in this process), run (a run anywhere).',
      labelNames: ['workflow', 'way'],
      registers,
    });
    this.#notLogged = new Counter({
      name: 'payments_requests_not_logged_total',
      help: 'Requests that are missing in the log of requests, which never delays a request.',
      registers,
    });
    for (const reason of ['shed', 'rate_limited'] satisfies Refusal[]) this.#refused.inc({ reason }, 0);
    const inFlight = () => this.#inFlight;
    registry.registerMetric(
      new Gauge({
        name: 'payments_http_in_flight',
        help: 'Requests that wait for their answer.',
        registers: [],
        collect() {
          this.set(inFlight());
        },
      }),
    );
  }

  /** Counts a new charge or refund by the way that its first steps took. */
  writeBegun(workflow: string, way: 'inline' | 'eager' | 'run'): void {
    this.#begun.inc({ workflow, way });
  }

  /** Counts requests that the log of requests had to leave out. */
  requestsNotLogged(count: number): void {
    this.#notLogged.inc(count);
  }

  /** Counts a request. Call the returned function when it is answered. */
  enter(): (request: ServedRequest) => void {
    this.#inFlight += 1;
    const since = performance.now();
    return (request) => {
      this.#inFlight -= 1;
      this.#findSeries(request).observe((performance.now() - since) / 1_000);
      if (request.refusal) this.#refused.inc({ reason: request.refusal });
    };
  }

  #findSeries({ method, route, status }: ServedRequest): ReturnType<Histogram['labels']> {
    const key = `${method} ${route} ${Math.floor(status / 100)}`;
    const known = this.#series.get(key);
    if (known) return known;
    const series = this.#seconds.labels({
      method: knownMethods.has(method) ? method : 'other',
      route: route ?? 'none',
      status: `${Math.floor(status / 100)}xx`,
    });
    // Bounded by routes, the parser's methods and classes of status.
    this.#series.set(key, series);
    return series;
  }
}
