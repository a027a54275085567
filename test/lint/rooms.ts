import { readdirSync } from 'node:fs';

/** What a room is for, and what of the others it may import. */
export interface Room {
  /** For the table in `docs/architecture.md`. */
  purpose: string;
  /** Rooms, or single files of them. `temporal` is what lies in it, and not what lies in `temporal/client`. */
  imports: readonly string[];
}

const low = ['domain', 'db', 'temporal', 'temporal/client'];

/** The rooms of the product, the lowest first. `.oxlintrc.json` says the same, and a test holds the two together. */
export const rooms: Readonly<Record<string, Room>> = {
  domain: { purpose: 'The rules: states, amounts, problems, versions. Pure functions.', imports: [] },
  blobs: { purpose: 'Where result files are kept: a disk or S3.', imports: [] },
  client: {
    purpose:
      'The package of merchants: the typed client, and the command `payments`. Made from `openapi.json`.',
    imports: [],
  },
  telemetry: { purpose: 'Logs, metrics, traces.', imports: ['domain'] },
  http: {
    purpose: 'What processes that serve HTTP share: the server, and the first steps of each request.',
    imports: ['domain', 'telemetry'],
  },
  db: { purpose: 'The tables: every statement, and the migrations.', imports: ['domain'] },
  temporal: {
    purpose: 'What workflows and their callers agree on: inputs, results, messages, queues.',
    imports: ['domain'],
  },
  'temporal/client': {
    purpose: 'How callers start, ask and find workflows.',
    imports: ['domain', 'temporal'],
  },
  issuer: { purpose: 'Access tokens: sign, verify, revoke.', imports: ['domain', 'db'] },
  processor: {
    purpose: 'The port to a payment processor, and its adapters.',
    imports: ['domain', 'telemetry'],
  },
  webhooks: {
    purpose: 'Delivers events: sign, send, record, retry.',
    imports: ['domain', 'db', 'telemetry'],
  },
  workflows: {
    purpose: 'The business processes. Deterministic.',
    imports: ['domain', 'temporal'],
  },
  activities: {
    purpose: 'The steps of workflows: everything with an effect.',
    imports: [...low, 'processor', 'webhooks', 'blobs'],
  },
  startup: {
    purpose: 'Reads the settings of a process, and opens what they name.',
    imports: [...low, 'processor', 'blobs', 'telemetry'],
  },
  worker: {
    purpose: 'The process that runs workflows and activities.',
    imports: [...low, 'processor', 'webhooks', 'blobs', 'telemetry', 'startup', 'activities', 'workflows'],
  },
  api: {
    purpose: 'The HTTP API, and its process.',
    imports: [
      ...low,
      'issuer',
      'processor',
      'webhooks',
      'blobs',
      'telemetry',
      'startup',
      'http',
      'activities/payments/charges.ts',
      'worker/hosted-runs.ts',
    ],
  },
  admin: {
    purpose: '`npm run admin`, `reconcile` and `migrate`.',
    imports: [
      ...low,
      'issuer',
      'processor',
      'startup',
      'activities/maintenance/reconciliation.ts',
      'activities/maintenance/restoration.ts',
      'api/scope-gaps.ts',
    ],
  },
  console: {
    purpose:
      'The pages for people, a process of its own. It calls the API, and holds no database and no keys of it.',
    imports: [
      'domain',
      'client',
      'http',
      'telemetry',
      'startup/settings/read.ts',
      'startup/settings/setting.ts',
      'startup/settings/shared.ts',
    ],
  },
  sandbox: {
    purpose: 'A simulated payment processor, a process of its own.',
    imports: ['processor', 'startup'],
  },
};

/** A floor of the picture in `docs/architecture.md`: a room that one remembers, and those that stand beside it. */
export interface Floor {
  room: string;
  /** What the room does, in a sentence. */
  does: string;
  beside: readonly string[];
}

/** The floors, the highest first. Each imports only from those below it. */
export const floors: readonly Floor[] = [
  { room: 'console', does: 'shows people what the API says', beside: ['admin', 'sandbox'] },
  { room: 'api', does: 'answers each key of a merchant once', beside: ['client', 'http', 'issuer'] },
  { room: 'worker', does: 'goes on with what an answer does not wait for', beside: ['startup'] },
  { room: 'workflows', does: 'say which step comes next', beside: [] },
  { room: 'activities', does: 'are the steps: begin, call, settle', beside: [] },
  { room: 'webhooks', does: 'tell merchants what has happened', beside: [] },
  { room: 'processor', does: 'moves the money', beside: ['blobs'] },
  { room: 'db', does: 'keeps all that is true', beside: ['temporal', 'temporal/client'] },
  { room: 'domain', does: 'holds the rules, and touches nothing', beside: ['telemetry'] },
];

/**
 * The folders inside of a room, and which of the others each may import; what lies in the room itself is `.`. A room that
 * is not here has no order of its own.
 */
export const folders: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  api: {
    limits: [],
    json: [],
    http: ['limits', 'json'],
    oauth: ['http', 'limits'],
    routing: ['http', 'limits', 'json', 'oauth'],
    middleware: ['http', 'limits', 'oauth'],
    openapi: ['http'],
    documents: ['http', 'openapi'],
    writes: ['http', 'json'],
    access: ['http', 'writes'],
    payments: ['http', 'json', 'writes'],
    operations: ['http', 'json', 'writes', 'payments'],
    webhooks: ['http', 'json', 'writes', 'payments', 'operations'],
    operator: ['http'],
  },
  db: {
    migrations: ['.'],
    writes: ['.'],
    access: ['.', 'writes'],
    payments: ['.', 'writes'],
    operations: ['.', 'writes', 'payments'],
    webhooks: ['.', 'writes'],
    operator: ['.'],
  },
  activities: {
    payments: ['.'],
    operations: ['.', 'payments'],
    webhooks: ['.', 'operations', 'payments'],
    maintenance: ['.', 'operations', 'payments', 'webhooks'],
  },
  // Each kind of processor stands by itself.
  processor: Object.fromEntries(listFolders('processor').map((kind) => [kind, ['.']])),
  http: { middleware: ['.'] },
  local: { processes: [], postgres: ['processes'], temporal: ['processes'] },
};

/** Returns the folders in a room, by name. */
function listFolders(room: string): string[] {
  return readdirSync(new URL(`../../${room}`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

/** Rooms that may import any other; nothing imports `bench` and `test`. */
export const outerRooms = ['local', 'bench', 'test'];

/** The one file that knows activities, and only their types. */
export const activityTypes = { file: 'workflows/proxies.ts', room: 'activities' };

/** The groups of `no-restricted-imports` that say so. */
export function importGroup(name: string): string[] {
  const allowed = rooms[name]!.imports.map((other) =>
    other === 'temporal' ? '!#temporal/*.ts' : other.endsWith('.ts') ? `!#${other}` : `!#${other}/**`,
  );
  return ['#*/**', ...allowed];
}
