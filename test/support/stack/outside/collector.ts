import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span as OTLP's JSON has it. */
export interface CollectedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
}

interface TracesRequest {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue: string } }[] };
    scopeSpans: { spans: Omit<CollectedSpan, 'service'>[] }[];
  }[];
}

/** A collector of spans: OTLP over HTTP, in JSON. */
export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /** All that was sent, as it came. */
  bodies: string[];
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const server = await listen(async (req) => {
    const body = await text(req);
    bodies.push(body);
    if (req.url !== '/v1/traces') throw new Error(`spans were sent to ${req.url}`);
    for (const { resource, scopeSpans } of (JSON.parse(body) as TracesRequest).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      for (const { spans: some } of scopeSpans) spans.push(...some.map((span) => ({ ...span, service })));
    }
    return '{}';
  });
  return { ...server, spans, bodies };
}

/** Passes requests on to another server, and keeps the heads of those that came by. */
export async function startRecordingProxy(
  target: string,
): Promise<{ url: string; heads: IncomingMessage[]; close(): Promise<void> }> {
  const heads: IncomingMessage[] = [];
  const server = createServer((req, res) => {
    heads.push(req);
    const onward = request(target + req.url, { method: req.method, headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  return { ...(await open(server)), heads };
}

function listen(handle: (req: IncomingMessage) => Promise<string>) {
  return open(
    createServer((req, res) => {
      handle(req).then(
        (body) => res.writeHead(200, { 'content-type': 'application/json' }).end(body),
        () => res.writeHead(400).end(),
      );
    }),
  );
}

async function open(
  server: ReturnType<typeof createServer>,
): Promise<{ url: string; close(): Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
