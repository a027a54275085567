import { createRequire } from 'node:module';
import type { HistoryAndWorkflowId } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';

/**
 * Histories as JSON, as Temporal's own tools write it. The recorded ones are kept in a form of their own
 * (`kept-histories.ts`).
 *
 * The SDK's `historyToJSON` needs its packages to share one copy of protobufjs, which npm does not give them
 * here: grpc asks for an older one. So the conversion is taken from the copy that the message types are of.
 */

export interface HistoryEventJson {
  eventType: string;
  [attributes: string]: unknown;
}

export interface HistoryJson {
  events: HistoryEventJson[];
}

interface ProtoJson {
  toJson: (type: unknown, message: History) => unknown;
  fromJson: (type: unknown, json: unknown, options: { ignoreUnknownFields: boolean }) => History;
}

const sdk = createRequire(createRequire(import.meta.url).resolve('@temporalio/common'));
const protos = createRequire(sdk.resolve('@temporalio/proto'));
const { toJson, fromJson } = protos('protobufjs/ext/protojson.js') as ProtoJson;
const messages = protos('@temporalio/proto') as { lookupType(name: string): unknown };
const historyType = messages.lookupType('temporal.api.history.v1.History');

export function historyToJson(history: History): HistoryJson {
  return toJson(historyType, history) as HistoryJson;
}

/** As the SDK's replayer takes them; the path stands in for the workflow's id. */
export function* replayable(histories: Map<string, HistoryJson>): Iterable<HistoryAndWorkflowId> {
  for (const [path, json] of histories) {
    yield { workflowId: path, history: fromJson(historyType, json, { ignoreUnknownFields: false }) };
  }
}

/** Everything that reads as text in a history, what payloads hold included. */
export function readableText(value: unknown): string {
  if (Array.isArray(value)) return value.map(readableText).join('\n');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, member]) => {
      const isPayload = name === 'data' && typeof member === 'string';
      return `${name}: ${isPayload ? Buffer.from(member, 'base64').toString() : readableText(member)}`;
    })
    .join('\n');
}
