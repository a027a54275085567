import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HistoryEventJson, HistoryJson } from './histories.ts';

/**
 * The form that recorded histories are kept in, for people to read: one event a line, with the milliseconds since the
 * start, its name, and what a replay needs of it. Payloads are the values that they hold.
 *
 * A history is read back without what is left out: names and versions of machines, headers, memos, timeouts.
 */

/** Members that a replay does not look at. */
const unneeded: ReadonlySet<string> = new Set([
  'attempt',
  'complete_time',
  'firstExecutionRunId',
  'firstWorkflowTaskBackoff',
  'header',
  'heartbeatTimeout',
  'historySizeBytes',
  'identity',
  'memo',
  'meteringMetadata',
  'original_schedule_time',
  'requestId',
  'retryPolicy',
  'scheduleToCloseTimeout',
  'scheduleToStartTimeout',
  'sdkName',
  'sdkVersion',
  'stackTrace',
  'startToCloseTimeout',
  'taskId',
  'taskQueue',
  'useWorkflowBuildId',
  'userMetadata',
  'workerVersion',
  'workflowTaskCompletedEventId',
  'workflowTaskTimeout',
]);

/** Types of workflows and activities are messages with a name alone. */
const isNamed = (member: string) => member === 'workflowType' || member === 'activityType';
const isEventId = (member: string) => member.endsWith('EventId');

/** Stands in for the time of the start, which no step depends on. */
const startMs = Date.UTC(2026, 0, 1);

/** What a replay needs of the start, whatever it is. */
const started = { taskQueue: { name: 'payments' }, workflowTaskTimeout: '10s', attempt: 1 };

/** What a replay needs of the marker of a local activity, whatever it is. */
const moment = { seconds: startMs / 1_000, nanos: 0 };
const marked = { attempt: 1, complete_time: moment, original_schedule_time: moment };

/** Returns the text of a history's file. */
export function writeHistory({ events }: HistoryJson): string {
  const begun = Date.parse(events[0]?.['eventTime'] as string);
  const lines = events.map((event) => {
    const name = event.eventType
      .replace('EVENT_TYPE_', '')
      .toLowerCase()
      .replaceAll(/_./g, (part) => part[1]!.toUpperCase());
    const ms = Date.parse(event['eventTime'] as string) - begun;
    const { input, ...attributes } = event[`${name}EventAttributes`] as { input?: unknown };
    // An activity's input repeats that of the run.
    const isGiven = input !== undefined && name !== 'activityTaskScheduled';
    return JSON.stringify({
      ms,
      event: name,
      ...(shorten({ ...attributes, ...(isGiven && { input }) }) as object),
    });
  });
  return `${lines.join('\n')}\n`;
}

function readHistory(text: string): HistoryJson {
  const events = text
    .trimEnd()
    .split('\n')
    .map((line, at): HistoryEventJson => {
      const { ms, event, ...attributes } = JSON.parse(line) as { ms: number; event: string };
      return {
        eventId: String(at + 1),
        eventTime: new Date(startMs + ms).toISOString(),
        eventType: `EVENT_TYPE_${event.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
        [`${event}EventAttributes`]: { ...(at === 0 && started), ...(lengthen(attributes) as object) },
      };
    });
  return { events };
}

/** Returns the folder of a workflow's histories: a file for each path it can take. */
export function listHistoryFolder(workflow: string): string {
  return fileURLToPath(new URL(`../histories/${workflow}/`, import.meta.url));
}

/** Returns every recorded history of a folder, by the path it took. A folder that is missing has none. */
export function readHistories(folder: string): Map<string, HistoryJson> {
  const files = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  return new Map(
    files.map((file) => [file.replace(/\.jsonl$/, ''), readHistory(readFileSync(folder + file, 'utf8'))]),
  );
}

interface Payload {
  metadata: { encoding: string };
  data?: string;
}

const isPayload = (value: object): value is Payload =>
  typeof (value as Partial<Payload>).metadata?.encoding === 'string';

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  if (isPayload(value)) return value.data === undefined ? null : shorten(JSON.parse(decode(value.data)));
  const members = Object.entries(value).filter(([member]) => !unneeded.has(member));
  return Object.fromEntries(
    members.map(([member, content]) => {
      if (isNamed(member)) return [member, (content as { name: string }).name];
      return [member, isEventId(member) ? Number(content) : shorten(content)];
    }),
  );
}

function lengthen(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lengthen);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, content]) => {
      if (isNamed(member)) return [member, { name: content }];
      if (isEventId(member)) return [member, String(content)];
      if (member === 'payloads') return [member, (content as unknown[]).map((one) => toPayload(one))];
      if (member === 'indexedFields') return [member, toSearchAttributes(content as Record<string, string>)];
      return [member, lengthen(content)];
    }),
  );
}

function toPayload(value: unknown): Payload {
  if (value === null) return { metadata: { encoding: encode('binary/null') } };
  const whole = typeof value === 'object' && 'activity_type' in value ? { ...marked, ...value } : value;
  return { metadata: { encoding: encode('json/plain') }, data: encode(JSON.stringify(whole)) };
}

/** All of ours are keywords. */
function toSearchAttributes(fields: Record<string, string>): object {
  const type = encode('Keyword');
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const payload = toPayload(value);
      return [name, { ...payload, metadata: { ...payload.metadata, type } }];
    }),
  );
}

const decode = (data: string) => Buffer.from(data, 'base64').toString();
const encode = (text: string) => Buffer.from(text).toString('base64');
