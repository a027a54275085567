/** What is kept of an event that a reader or a receiver saw; the whole would fill the journal. */
export interface SeenEvent {
  id: string;
  account: string;
  type: string;
  sequence: number;
  /** The resource that it shows. */
  resource: string;
  /** Of the resource, as the event shows it. */
  status: string | null;
}

/** A page of `GET /v1/events`, as the journal keeps it. */
export interface SeenPage {
  data: SeenEvent[];
  has_more: boolean;
}

interface WireEvent extends Omit<SeenEvent, 'resource' | 'status'> {
  data: { object: { id: string; status?: string } };
}

/** @throws {SyntaxError} or {TypeError} for what is no event. */
export function readEvent(text: string): SeenEvent {
  return toSeen(JSON.parse(text) as WireEvent);
}

/** Leaves of a page what the journal keeps. Any other answer stays as it is. */
export function condensePage(text: string): string {
  const { data, has_more } = JSON.parse(text) as { data?: WireEvent[]; has_more: boolean };
  return data ? JSON.stringify({ data: data.map(toSeen), has_more } satisfies SeenPage) : text;
}

function toSeen({ id, account, type, sequence, data: { object } }: WireEvent): SeenEvent {
  return { id, account, type, sequence, resource: object.id, status: object.status ?? null };
}
