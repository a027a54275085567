import type { HistoryEventJson, HistoryJson } from './histories.ts';

/**
 * Returns the history without its first step, the activity or local activity with all its events, as if the workflow had
 * never taken it. Returns `null` if no command follows that step, since a replay cannot miss it then.
 */
export function withoutFirstStep({ events }: HistoryJson): HistoryJson | null {
  const first = events.find(({ eventType }) => isStep(eventType));
  const kept = events.filter((event) => event !== first && first && !belongsTo(event, first));
  const at = kept.findIndex(({ eventId }) => Number(eventId) > Number(first?.['eventId']));
  const isFollowed = kept.slice(at).some(({ eventType }) => isCommand(eventType));
  if (!first || at === -1 || !isFollowed) return null;
  const ids = new Map(kept.map(({ eventId }, index) => [eventId, String(index + 1)]));
  return { events: renumber(kept, ids) as HistoryEventJson[] };
}

const isStep = (type: string) => /_(MARKER_RECORDED|ACTIVITY_TASK_SCHEDULED)$/.test(type);
const isCommand = (type: string) =>
  isStep(type) || /_(UPSERT_WORKFLOW_SEARCH_ATTRIBUTES|EXECUTION_COMPLETED|EXECUTION_FAILED)$/.test(type);

/** Says whether an event tells what became of an activity. */
function belongsTo(event: HistoryEventJson, activity: HistoryEventJson): boolean {
  if (!event.eventType.startsWith('EVENT_TYPE_ACTIVITY_TASK_')) return false;
  return Object.values(event).some(
    (attributes) =>
      typeof attributes === 'object' &&
      (attributes as { scheduledEventId?: string }).scheduledEventId === activity['eventId'],
  );
}

function renumber(value: unknown, ids: Map<unknown, string>, member = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => renumber(one, ids));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renumber(one, ids, name)]));
  return member.endsWith('ventId') ? (ids.get(value) ?? value) : value;
}
