import type { JSX } from 'preact';
import { Facts } from '../parts/facts.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import type { Check, Overview, Reconciliation } from './operator-api.ts';

/** When each check last ran, and the ones that can be run now. */
export function Checks({ overview, canAct }: { overview: Overview; canAct: boolean }): JSX.Element {
  const { checks, accounts } = overview;
  return (
    <>
      <h2>Checks</h2>
      <Facts
        facts={[
          ['Swept', <LastRun key="sweep" check={checks.sweep} />],
          ['Retention', <LastRun key="retention" check={checks.retention} />],
          ['Reconciled', <LastReconciliation key="reconciled" run={checks.reconciliation} />],
          [
            'Accounts',
            <>
              <a href="/service/accounts">{accounts.active} active</a>, {accounts.disabled} disabled
            </>,
          ],
        ]}
      />
      {canAct ? (
        <p class="buttons">
          <a class="button" href="/service/reconcile">
            Reconcile…
          </a>
          <a class="button" href="/service/sweep">
            Sweep now…
          </a>
        </p>
      ) : null}
    </>
  );
}

function LastRun({ check }: { check: Check | null }): JSX.Element {
  if (check === null) return <Status value="no run is known" tone="waiting" />;
  return (
    <>
      <Time at={check.ended} /> {check.complete ? null : <Status value="some steps failed" tone="bad" />}
    </>
  );
}

function LastReconciliation({ run }: { run: Reconciliation | null }): JSX.Element {
  if (run === null) return <Status value="never yet" tone="waiting" />;
  const rows = (run.charges_compared ?? 0) + (run.refunds_compared ?? 0);
  return (
    <>
      <Time at={run.ended} />:{' '}
      <a href={`/service/reconciliations/${run.id}`}>{rows.toLocaleString('en-GB')} rows</a>,{' '}
      {run.differences} differ, {run.repaired} repaired.{' '}
      {run.complete === false ? <Status value="not all was examined" tone="waiting" /> : null}{' '}
      {run.unread.length > 0 ? `Not read: ${run.unread.join(', ')}. ` : null}
      <a href="/service/reconciliations">All runs</a>
    </>
  );
}
