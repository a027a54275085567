import type { JSX } from 'preact';

/** What a figure means. Each tone has a colour (`console.css`) and a pattern, so that nobody needs the colour. */
export type Tone = 'good' | 'declined' | 'fault' | 'quiet';

/** The paths of each pattern's tile of 6 by 6 units; `good` is full. */
const tiles: Readonly<Record<Exclude<Tone, 'good'>, string>> = {
  declined: 'M0 6 L6 0',
  fault: 'M0 0 L6 6 M0 6 L6 0',
  quiet: 'M0 3 H6',
};

/** The patterns of the tones. Fills name them by {@link toFill}. */
export function TonePatterns({ id, tones }: { id: string; tones: readonly Tone[] }): JSX.Element {
  const patterned = tones.filter((tone) => tone !== 'good');
  return (
    <defs>
      {patterned.map((tone) => (
        <pattern
          key={tone}
          id={`${id}-${tone}`}
          class={`tone tone-${tone}`}
          width={6}
          height={6}
          patternUnits="userSpaceOnUse"
        >
          <rect class="tone-ground" width={6} height={6} />
          <path class="tone-lines" d={tiles[tone]} />
        </pattern>
      ))}
    </defs>
  );
}

/** Returns the attribute `fill` of a shape in that tone. A full one is filled by its class. */
export function toFill(id: string, tone: Tone): { fill?: string } {
  return tone === 'good' ? {} : { fill: `url(#${id}-${tone})` };
}

interface LegendProps {
  id: string;
  items: readonly { name: string; tone: Tone }[];
}

/** Names the tones beside a picture. The names stand in the table too, so readers of the page skip it. */
export function Legend({ id, items }: LegendProps): JSX.Element {
  return (
    <ul class="plot-legend" aria-hidden="true">
      {items.map(({ name, tone }) => (
        <li key={name}>
          <svg class="plot-key" viewBox="0 0 12 12" width={12} height={12}>
            <rect class={`tone tone-${tone}`} width={12} height={12} {...toFill(id, tone)} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
