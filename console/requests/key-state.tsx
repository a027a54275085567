import type { JSX } from 'preact';
import { NotFoundError, ProblemError, type IdempotencyKeyState } from '#client/src/index.ts';
import { defineRegion, type Visit } from '../page.ts';
import { Id, Status, Text, Time } from '../parts/values.tsx';

/** What became of an Idempotency-Key, in words: done, under way, or never begun. */

type Use = IdempotencyKeyState['uses'][number];

interface KeyUses {
  key: string;
  /** None: the key was not used in the last 24 hours. */
  uses: readonly Use[];
  /** Whether it can be a key at all. */
  isKey: boolean;
}

export const keyRegion = defineRegion<KeyUses>({
  name: 'key',
  isShown: (visit) => findKey(visit) !== '',
  load: loadUses,
  view: (found) => <KeyView {...found} />,
});

const findKey = ({ query }: Visit) => query.get('idempotency_key')?.trim() ?? '';

async function loadUses(visit: Visit): Promise<KeyUses> {
  const { api } = visit;
  const key = findKey(visit);
  try {
    const { uses } = await api.idempotencyKeys.get(key);
    return { key, uses, isKey: true };
  } catch (error) {
    if (error instanceof NotFoundError) return { key, uses: [], isKey: true };
    if (error instanceof ProblemError && error.code === 'idempotency_key_invalid')
      return { key, uses: [], isKey: false };
    throw error;
  }
}

function KeyView({ key, uses, isKey }: KeyUses): JSX.Element {
  return (
    <>
      <h2>
        The key <Text value={key} />
      </h2>
      {uses.length > 0 ? (
        <ul>
          {uses.map((use) => (
            <li key={use.endpoint}>
              <KeyUse use={use} />
            </li>
          ))}
        </ul>
      ) : (
        <p>{isKey ? neverBegun : 'No Idempotency-Key can look like this.'}</p>
      )}
    </>
  );
}

const neverBegun =
  'Never begun: no request with this key has been accepted in the last 24 hours. Sending one now has its effect once.';

function KeyUse({ use }: { use: Use }): JSX.Element {
  const id = use.resource?.split('/').at(-1);
  return (
    <>
      <Status
        value={use.status === 'done' ? 'Done' : 'Under way'}
        tone={use.status === 'done' ? 'good' : 'waiting'}
      />
      : <code>{use.endpoint}</code>, first sent <Time at={use.since} />.{' '}
      {use.status === 'done'
        ? 'Sending the same request again repeats its answer.'
        : 'Its answer is not there yet. Sending the same request again waits for it, and has no second effect.'}
      {id === undefined ? null : (
        <>
          {' '}
          It made or changed <Id value={id} />.
        </>
      )}{' '}
      The key is kept until <Time at={use.until} />.
    </>
  );
}
