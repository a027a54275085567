import type { JSX } from 'preact';
import { Id } from '../parts/id.tsx';
import { Time } from '../parts/time.tsx';

/** Ids and times of ours within a sentence. */
const linked = /([a-z]{2,4}_[0-9A-HJKMNP-TV-Z]{26}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/;

/** A sentence whose ids lead to their pages, and whose times are shown as times. */
export function LinkedWords({ words }: { words: string }): JSX.Element {
  // What the groups of a pattern find stands at every second place.
  return (
    <>
      {words.split(linked).map((part, index) => {
        if (index % 2 === 0) return part;
        return part.includes('_') ? <Id key={index} value={part} /> : <Time key={index} at={part} />;
      })}
    </>
  );
}
