import type { JSX } from 'preact';
import type { Charge } from '#client/src/index.ts';
import { declineAdvice, failureAdvice, failureProblems } from '#domain/cards/decline-advice.ts';
import type { Visit } from '../page.ts';
import { Text } from '../parts/text.tsx';

const again = {
  yes: 'The same card may be tried again.',
  later: 'The same card may be tried again later.',
  no: 'The same card would be declined again.',
};

/** Why a payment failed, what to do now, and what to tell the buyer. */
export function FailureAdvice(props: { failure: NonNullable<Charge['failure']>; visit: Visit }): JSX.Element {
  const { code, decline_code: decline, message } = props.failure;
  const advice = decline === null ? null : declineAdvice[decline];
  return (
    <div class="problem">
      <p>
        <strong>
          {code}
          {decline === null ? '' : ` · ${decline}`}
        </strong>{' '}
        <Text value={message} />
      </p>
      <p>{advice ? `${advice.meaning} ${again[advice.again]}` : failureAdvice[code]}</p>
      {advice ? <p>Tell the buyer: “{advice.tell}”</p> : null}
      <p>
        <a href={`${props.visit.links.apiUrl}/problems/${failureProblems[code]}`}>
          What this means, and what to do
        </a>
      </p>
    </div>
  );
}
