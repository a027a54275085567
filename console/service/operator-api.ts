import { ProblemError } from '#client/src/index.ts';
import type { Visit } from '../page.ts';

/** The API of operators, as the pages use it (openapi-service.json). */

export interface List<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}

export interface AccountName {
  id: string;
  name: string;
}

export interface Backlog {
  count: number;
  oldest: string | null;
}

export interface Check {
  ended: string;
  complete: boolean;
  workflow: string;
}

export interface Overview {
  needs_person: { differences: number; undecided: Backlog; stuck_operations: Backlog };
  mends_itself: {
    unknown_charges: Backlog;
    unknown_refunds: Backlog;
    failing_endpoints: Backlog;
    parked_endpoints: number;
    open_operations: number;
    cancelling_operations: number;
  };
  dead_letters: { count: number; accounts: number };
  checks: { sweep: Check | null; retention: Check | null; reconciliation: Reconciliation | null };
  accounts: { active: number; disabled: number };
}

export interface UnknownOutcome {
  id: string;
  kind: 'charge' | 'refund';
  account: AccountName;
  /** Minor units. */
  amount: number;
  currency: string;
  status: string;
  fault: string | null;
  next: { does: string; until: string | null; ends_in: 'void' | 'fail' | null };
  needs_person: boolean;
  workflow: string;
  created: string;
}

export interface Reconciliation {
  id: string;
  status: string;
  repair: boolean;
  /** A member, a client or a command; `null`: it ran by its schedule. */
  requested_by: string | null;
  differences: number | null;
  repaired: number | null;
  charges_compared: number | null;
  refunds_compared: number | null;
  movements_read: number | null;
  complete: boolean | null;
  /** Possible differences that it left to another run. */
  unexamined: number | null;
  unread: string[];
  created: string;
  started: string | null;
  ended: string | null;
}

export interface Difference {
  number: number;
  code: string;
  resource: string;
  detail: string;
  repaired: boolean;
  account: AccountName | null;
  amount: number | null;
  currency: string | null;
  workflow: string | null;
}

export interface OpenOperation {
  id: string;
  account: AccountName;
  type: string;
  status: string;
  concern: 'stuck' | 'long' | 'waiting' | null;
  completed: number;
  total: number | null;
  workflow: string;
  created: string;
  progressed: string;
}

export interface DeadLetter {
  id: string;
  account: AccountName;
  endpoint: string;
  type: string;
  attempts: number;
  ended: string;
}

export interface FailingEndpoint {
  id: string;
  account: AccountName;
  failing_since: string;
  parked_until: string | null;
  disabled_at: string;
  status_code: number | null;
  waiting: number;
}

export interface QueueFigures {
  name: string;
  tasks: number;
  age_seconds: number;
}

export interface FigurePoint {
  at: string;
  queues: QueueFigures[];
  calls: { name: string; count: number; faults: number; p50_ms: number | null; p95_ms: number | null }[];
  answers: AnswerFigures;
}

/** Answers of the API: all, 5xx, and those that were turned away because of load. */
export interface AnswerFigures {
  count: number;
  failed: number;
  shed: number;
}

export interface Account {
  id: string;
  name: string;
  status: 'active' | 'disabled';
  api_version: string;
  processors: string[];
  unknown_timeout_ms: number;
  authorization_ttl_ms: number;
  created: string;
}

export interface WorkflowRun {
  run: string;
  type: string;
  status: string;
  started: string;
  ended: string | null;
  events: number;
  pending: { type: string; attempt: number; next_attempt: string | null; last_failure: string | null }[];
}

export interface Resource {
  id: string;
  account: AccountName;
  status: string;
  workflow: string | null;
  run: WorkflowRun | null;
}

export interface AuditEntry {
  id: string;
  created: string;
  account: string | null;
  name: string | null;
  kind: string;
  action: string;
  resource: string | null;
  status: number | null;
  reason: string | null;
  /** From where somebody signed in, or tried to. */
  address: string | null;
}

type Query = Readonly<Record<string, string | number | null | undefined>>;

/**
 * Reads something of the operators' API.
 *
 * @param path below `/operator/`.
 * @throws {ProblemError} of the client, {ConnectionError}
 */
export async function read<Body>(
  { api }: Pick<Visit, 'api'>,
  path: string,
  query: Query = {},
): Promise<Body> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined && value !== '') parameters.set(name, String(value));
  const text = parameters.toString();
  const { body } = await api.request<Body>('GET', `/operator/${path}${text === '' ? '' : `?${text}`}`);
  return body;
}

/** Rows of a list. */
const rowsOfPage = 25;

/** Reads a page of a list, behind the cursor of the address, with these filters of the address. */
export function readList<Item>(
  visit: Visit,
  path: string,
  filters: readonly string[] = [],
): Promise<List<Item>> {
  const given = Object.fromEntries(filters.map((name) => [name, visit.query.get(name)]));
  return read<List<Item>>(visit, path, {
    ...given,
    limit: rowsOfPage,
    starting_after: visit.query.get('cursor'),
  });
}

/** Returns what is known of an unknown outcome; `null` once it is known. */
export async function findUnknown(visit: Pick<Visit, 'api'>, id: string): Promise<UnknownOutcome | null> {
  try {
    return await read<UnknownOutcome>(visit, `unknown-outcomes/${id}`);
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'not_found') return null;
    throw error;
  }
}
