import type { JSX } from 'preact';

export interface ProblemProps {
  title: string;
  detail: string;
  /** The API's code; `null`: the API gave none. */
  code: string | null;
  traceId: string;
  /** The page about the code. */
  page: string | null;
}

/** Why something is not there: code, trace id and the page about it. */
export function Problem({ title, detail, code, traceId, page }: ProblemProps): JSX.Element {
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{title}</strong>
      </p>
      <p>{detail}</p>
      <p class="origin">
        {code === null ? null : (
          <>
            {page === null ? <code>{code}</code> : <a href={page}>{code}</a>}
            {' · '}
          </>
        )}
        trace <code class="id">{traceId}</code>
      </p>
    </div>
  );
}
