import type { JSX } from 'preact';
import type { WebhookDeliveryDetail } from '#client/src/index.ts';
import { showInvisible } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';

type Attempt = WebhookDeliveryDetail['attempts'][number];

/** Every attempt, the newest first: when, what the endpoint answered, how long it took. */
export function Attempts({ attempts }: { attempts: readonly Attempt[] }): JSX.Element {
  if (attempts.length === 0) return <p class="empty">No attempt yet.</p>;
  return (
    <ol class="attempts">
      {attempts.toReversed().map((attempt) => (
        <li key={attempt.number} value={attempt.number}>
          <p>
            <Time at={attempt.at} /> · {attempt.latency_ms} ms · <strong>{sayOutcome(attempt)}</strong>
          </p>
          <Answer body={attempt.response_body} />
        </li>
      ))}
    </ol>
  );
}

function sayOutcome({ status_code: status, error }: Attempt): string {
  if (status === null) return sayError(error ?? 'no answer');
  return error === null ? `HTTP ${status}, delivered` : `HTTP ${status}`;
}

/** Returns why an attempt got no answer in words: `timed_out` is `timed out`. */
export function sayError(error: string): string {
  return error.replaceAll('_', ' ');
}

/** What the receiver answered, as text and nothing else: anybody may have written it. */
function Answer({ body }: { body: string | null }): JSX.Element | null {
  if (body === null) return null;
  if (body === '') return <p>The answer was empty.</p>;
  return (
    <details open>
      <summary>The first 1 KiB of the answer</summary>
      <pre>
        <code>{showInvisible(body)}</code>
      </pre>
    </details>
  );
}
