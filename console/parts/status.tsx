import type { JSX } from 'preact';

type Tone = 'good' | 'bad' | 'waiting' | 'quiet';

const tones: Readonly<Record<string, Tone>> = {
  succeeded: 'good',
  processed: 'good',
  delivered: 'good',
  enabled: 'good',
  active: 'good',
  answered: 'good',
  failed: 'bad',
  dead: 'bad',
  disabled: 'bad',
  expired: 'bad',
  pending: 'waiting',
  processing: 'waiting',
  running: 'waiting',
  retrying: 'waiting',
  requires_capture: 'waiting',
  requires_action: 'waiting',
  in_progress: 'waiting',
};

/** One sign a tone, so that colour alone tells nothing. */
const signs: Readonly<Record<Tone, string>> = { good: '●', bad: '✕', waiting: '○', quiet: '–' };

/** A state in a word, with a sign. `tone`: (Default: by the word, `quiet` for an unknown one) */
export function Status({ value, tone }: { value: string; tone?: Tone }): JSX.Element {
  const shown = tone ?? tones[value] ?? 'quiet';
  return (
    <span class={`status ${shown}`}>
      <span aria-hidden="true">{signs[shown]}</span> {value.replaceAll('_', ' ')}
    </span>
  );
}
