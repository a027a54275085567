import type { JSX } from 'preact';
import type {
  ExportOperation,
  ExportRequest,
  Operation,
  OperationQuery,
  OperationResult,
} from '#client/src/index.ts';
import { eventRetentionMs } from '#domain/events.ts';
import { formatAmount } from '#domain/money.ts';
import {
  allOperations,
  operationKinds,
  operationTypes,
  operationWords,
  type OperationType,
} from '#domain/operations/operation-kinds.ts';
import type { Visit } from '../page.ts';
import { Problem } from '../parts/problem.tsx';
import { fromCreated } from '../parts/span.ts';
import { Text, Time } from '../parts/values.tsx';
import { facts, named, ownId, status, time, type Field, type Fields } from '../screens/fields.tsx';
import { toOptions } from '../parts/form.tsx';
import { backTo, itemScreen, StartLink, verbs } from '../screens/items.tsx';
import { listScreen } from '../screens/lists.tsx';
import { verb } from '../screens/verbs.tsx';
import { may } from '../session/session.ts';
import { newExport } from './new-export.ts';
import { Facts } from '../parts/table.tsx';

/** Exports, charge batches and replays of the account, and one of them: how far it is, its file, or why it failed. */

const operation = {
  id: ownId,
  type: ['What it does', ({ type }) => nameType(type)],
  rows: ['Rows', (given) => findRequest(given)?.resource],
  filters: ['Filters', (given, { now }) => showFilters(findRequest(given), now)],
  status: ['Status', status('status')],
  progress: ['Progress', (given) => <Progress operation={given} />],
  created: ['Accepted', time('created')],
  updated: ['Changed', time('updated')],
  result: ['Result', ({ response }) => response && formatBytes(response.size)],
  until: ['Can be read until', time('expires_at')],
} satisfies Fields<Operation>;

const findRequest = (given: Operation) => (given.type === 'export' ? given.request : undefined);

function showFilters(request: ExportOperation['request'], now: Date): JSX.Element | string | null {
  if (!request) return null;
  const filters = describeFilters(request, now);
  return filters === '' ? 'none: all of them' : <Text value={filters} />;
}

/** Returns the name of a type for people: `Charge batch`. */
function nameType(type: OperationType): string {
  const words = operationWords(type);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How far the work is, in steps. Before its size is known, the bar says only that it goes on. */
function Progress({ operation: { progress, done, type } }: { operation: Operation }): JSX.Element {
  const label = `Progress of the ${operationWords(type)}`;
  if (progress === null) return done ? <span class="none">–</span> : <progress aria-label={label} />;
  const words = `${progress.completed} of ${progress.total}`;
  if (done) return <>{words}</>;
  return (
    <>
      <progress aria-label={label} value={progress.completed} max={Math.max(1, progress.total)} /> {words}
    </>
  );
}

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Returns `1.5 MiB`. */
function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`;
}

const statuses = ['queued', 'running', 'cancelling', 'succeeded', 'failed', 'cancelled'] as const;

export const operationList = listScreen<Operation, OperationQuery>({
  path: '/operations',
  scope: 'operations:read',
  title: 'Operations',
  top: (visit) => <StartLink to={newExport} visit={visit} />,
  filters: {
    type: {
      label: 'Type',
      options: [
        { value: '', label: 'Any' },
        ...operationTypes.map((value) => ({ value, label: nameType(value) })),
      ],
    },
    status: { label: 'Status', options: toOptions(statuses, 'Any') },
  },
  live: 'always',
  read: ({ api }, query) => api.operations.list(query).page(),
  isSettled: ({ data }) => data.every(({ done }) => done),
  columns: [
    named('Operation', operation.type),
    operation.status,
    operation.progress,
    named('Began', operation.created),
    operation.updated,
    operation.result,
  ],
  href: ({ id }) => `/operations/${id}`,
  empty: ({ query }) =>
    query.get('type') || query.get('status') ? (
      <p>
        No operation has this type and status. <a href="/operations">All operations</a>
      </p>
    ) : (
      <p>No export, batch or replay yet. They are kept for 30 days after their end.</p>
    ),
  grows: 'operations',
});

export const cancelOperation = verb({
  path: '/operations/{id}/cancel',
  scope: 'exports:write',
  title: 'Cancel operation',
  label: 'Cancel…',
  load: ({ api, id }): PromiseLike<Operation> => api.operations.get(id),
  when: (given, { session }) =>
    !given.done && given.status !== 'cancelling' && may(session, operationKinds[given.type].scopes.write),
  says: ({ id, type, done }) =>
    done
      ? 'It has ended already, so nothing will change.'
      : [
          `The ${operationWords(type)} ${id} is asked to stop.`,
          'What it has done by then stays done.',
          operationKinds[type].hasPartialResult
            ? 'It cannot be continued. Its result names all that was begun.'
            : 'It cannot be continued; a new one can be started.',
        ],
  // In its own collection, since support may cancel exports alone.
  call({ type }) {
    const { collection } = operationKinds[type];
    return `POST /v1/${collection}/{id}${collection === allOperations.collection ? ':cancel' : '/cancel'}`;
  },
});

export const operationPage = itemScreen<Operation>({
  path: '/operations/{id}',
  shows: 'operation',
  scope: 'operations:read',
  title: 'Operation',
  live: 'always',
  load: ({ api, id }) => api.operations.get(id),
  isSettled: ({ done }) => done,
  parts: [
    backTo('/operations', 'All operations'),
    facts(({ done }): Field<Operation>[] => [
      operation.id,
      operation.type,
      operation.rows,
      operation.filters,
      operation.status,
      operation.progress,
      operation.created,
      named(done ? 'Ended' : 'Last change', operation.updated),
      operation.until,
    ]),
    ({ id, error }, { links }) => error && <OperationProblem id={id} error={error} apiUrl={links.apiUrl} />,
    ({ id, response }, { now }) => response && <Result id={id} result={response} now={now} />,
    verbs([cancelOperation]),
    (given, visit) => <ExportAgain href={findAgain(given, visit)} />,
  ],
});

/** Returns the address of the form that asks for the same; `null` for those who may not, or if there is none. */
function findAgain(given: Operation, { session, now }: Visit): string | null {
  if (given.type !== 'export' || !given.done || !may(session, newExport.scope)) return null;
  return exportAgain(given, now);
}

function ExportAgain({ href }: { href: string | null }): JSX.Element | null {
  return href === null ? null : (
    <p class="buttons">
      <a class="button" href={href}>
        Export again…
      </a>
    </p>
  );
}

function Download({ id, words }: { id: string; words: string }): JSX.Element {
  return (
    <p>
      <a class="button" href={`/operations/${id}/result`} download>
        {words}
      </a>
    </p>
  );
}

interface OperationProblemProps {
  id: string;
  error: NonNullable<Operation['error']>;
  apiUrl: string;
}

function OperationProblem({ id, error, apiUrl }: OperationProblemProps): JSX.Element {
  const { title, detail, code, trace_id: traceId, result } = error;
  return (
    <>
      <Problem {...{ title, detail, code, traceId }} page={`${apiUrl}/problems/${code}`} />
      {result === undefined ? null : <Download id={id} words="Download what was done" />}
    </>
  );
}

function Result({ id, result, now }: { id: string; result: OperationResult; now: Date }): JSX.Element {
  const isKept = new Date(result.expires_at) > now;
  return (
    <>
      <h2>Result</h2>
      <Facts
        facts={[
          ['Format', result.content_type],
          ['Size', `${formatBytes(result.size)} (${result.size} bytes)`],
          [
            'SHA-256',
            <>
              <code class="id">{result.sha256}</code> <span class="copy" data-copy={result.sha256} />
            </>,
          ],
          [isKept ? 'Kept until' : 'Was kept until', <Time key="until" at={result.expires_at} />],
        ]}
      />
      {isKept ? <Download id={id} words="Download" /> : <p>The file is no longer kept.</p>}
    </>
  );
}

/** What an export was asked for: in words, and as the form that asks for the same again. */

/** Returns what was asked for, by the names of the form's fields; those that are empty are left out. */
function toFields({ resource, format, filter }: ExportRequest, now: Date): [name: string, value: string][] {
  const { created, amount, ...rest } = filter;
  const { from, to } = fromCreated(created ?? {});
  const isOldest = resource === 'events' && Date.parse(from) <= now.getTime() - eventRetentionMs;
  const fields = {
    resource,
    format,
    ...rest,
    // The API begins an export of events with the oldest that are kept, which nobody has to ask for.
    from: isOldest ? '' : from,
    to,
    amount: amount === undefined ? '' : formatAmount({ amount, currency: filter.currency ?? '' }),
  };
  return Object.entries(fields).filter(([, value]) => value !== '');
}

/**
 * Returns the address of the form with all that was asked for. Payments have a form of their own.
 *
 * @returns `null` if no form asks for the same: it wants the currency of an amount, and has no actor.
 */
function exportAgain({ request }: ExportOperation, now: Date): string | null {
  if (!request) return '/operations/new-export';
  const { amount, currency, actor } = request.filter;
  if (actor !== undefined || (amount !== undefined && currency === undefined)) return null;
  const fields = toFields(request, now);
  if (request.resource !== 'charges') return `/operations/new-export?${new URLSearchParams(fields)}`;
  const filters = fields.filter(([name]) => name !== 'resource');
  return `/payments/export?${new URLSearchParams(filters)}`;
}

/** Returns the filters in words, such as `status succeeded, from 2026-03-01`. */
function describeFilters(request: ExportRequest, now: Date): string {
  const fields = toFields(request, now).filter(([name]) => name !== 'resource' && name !== 'format');
  return fields.map(([name, value]) => `${name} ${value}`).join(', ');
}
