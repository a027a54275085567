import type { JSX } from 'preact';
import type { ExportRequest, Operation, OperationResult } from '#client/src/index.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Facts } from '../parts/facts.tsx';
import { Id } from '../parts/id.tsx';
import { Problem } from '../parts/problem.tsx';
import { Status } from '../parts/status.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { may } from '../session/scopes.ts';
import { canCancel } from './cancel-operation.tsx';
import { describeFilters, exportAgain } from './export-again.ts';
import { formatBytes, Progress, typeNames } from './progress.tsx';

/** One operation: how far it is, its file, or why it failed. */

export const operationPage = definePage({
  path: '/operations/{id}',
  section: 'operations',
  scope: 'operations:read',
  title: () => 'Operation',
  regions: () => [operationRegion],
});

const operationRegion = defineRegion<Operation>({
  name: 'operation',
  main: true,
  live: 'always',
  load: ({ api, params }) => api.operations.get(params['id'] ?? ''),
  isSettled: ({ done }) => done,
  view: (operation, visit) => <OperationView operation={operation} visit={visit} />,
});

function OperationView({ operation, visit }: { operation: Operation; visit: Visit }): JSX.Element {
  const { id, type, status, done, response, created, updated, expires_at: readableUntil } = operation;
  const asked = operation.type === 'export' ? operation.request : undefined;
  const again = findAgain(operation, visit);
  return (
    <>
      <p>
        <a href="/operations">All operations</a>
      </p>
      <Facts
        facts={[
          ['Id', <Id key="id" value={id} copy />],
          ['What it does', typeNames[type]],
          ['Rows', asked?.resource],
          ['Filters', asked && <Filters key="filters" request={asked} now={visit.now} />],
          ['Status', <Status key="status" value={status} />],
          ['Progress', <Progress key="progress" operation={operation} />],
          ['Accepted', <Time key="created" at={created} />],
          [done ? 'Ended' : 'Last change', <Time key="updated" at={updated} />],
          ['Can be read until', readableUntil && <Time key="readable" at={readableUntil} />],
        ]}
      />
      {operation.error ? <OperationProblem operation={operation} visit={visit} /> : null}
      {response ? <Result id={id} result={response} visit={visit} /> : null}
      <p class="buttons">
        {canCancel(operation, visit) ? (
          <a class="button" href={`/operations/${id}/cancel`}>
            Cancel…
          </a>
        ) : null}
        {again === null ? null : (
          <a class="button" href={again}>
            Export again…
          </a>
        )}
      </p>
    </>
  );
}

function Filters({ request, now }: { request: ExportRequest; now: Date }): JSX.Element {
  const filters = describeFilters(request, now);
  return filters === '' ? <>none: all of them</> : <Text value={filters} />;
}

function OperationProblem({ operation: { id, error }, visit }: { operation: Operation; visit: Visit }) {
  if (!error) return null;
  const { title, detail, code, trace_id: traceId, result } = error;
  const page = `${visit.links.apiUrl}/problems/${code}`;
  return (
    <>
      <Problem title={title} detail={detail} code={code} traceId={traceId} page={page} />
      {result === undefined ? null : (
        <p>
          <a class="button" href={`/operations/${id}/result`} download>
            Download what was done
          </a>
        </p>
      )}
    </>
  );
}

function Result({ id, result, visit }: { id: string; result: OperationResult; visit: Visit }): JSX.Element {
  const isKept = new Date(result.expires_at) > visit.now;
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
      {isKept ? (
        <p>
          <a class="button" href={`/operations/${id}/result`} download>
            Download
          </a>
        </p>
      ) : (
        <p>The file is no longer kept.</p>
      )}
    </>
  );
}

/** Returns the address of the form that asks for the same; `null` for those who may not, or if there is none. */
function findAgain(operation: Operation, { session, now }: Visit): string | null {
  if (operation.type !== 'export' || !operation.done || !may(session, 'exports:write')) return null;
  return exportAgain(operation, now);
}
