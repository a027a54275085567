import { createContext, type ComponentChildren, type JSX } from 'preact';
import { isId } from '#domain/ids.ts';
import { formatMoney, type Money as Sum } from '#domain/money.ts';
import { places } from './places.ts';

/** How single values are shown. */

/** An id of ours, which leads to its page. `copy`: that of the page itself, with a button that copies it instead. */
export function Id({ value, copy = false }: { value: string; copy?: boolean }): JSX.Element {
  const address = copy ? null : findPage(value);
  const text = <code class="id">{value}</code>;
  return (
    <>
      {address === null ? text : <a href={address}>{text}</a>}
      {copy ? <span class="copy" data-copy={value} /> : null}
    </>
  );
}

/** A link on a line of its own. */
export function LinkLine({ href, children }: { href: string; children: ComponentChildren }): JSX.Element {
  return (
    <p>
      <a href={href}>{children}</a>
    </p>
  );
}

/** Returns the path of the page about an id; `null` if there is none. */
export function findPage(id: string): string | null {
  const page = places.pages.find(({ shows }) => shows !== undefined && isId(shows, id));
  return page?.path.replace('{id}', id) ?? null;
}

/** `12.34 EUR`, from minor units. */
export function Money({ amount, currency }: Sum): JSX.Element {
  return <span class="money">{formatMoney({ amount, currency })}</span>;
}

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

/** Control characters, and those that turn the direction of what follows (UAX #9); line ends and tabs are harmless. */
const invisible = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** What somebody else has typed: apart from the text around it, with what cannot be seen made visible. It is never a link. */
export function Text({ value }: { value: string }): JSX.Element {
  return <bdi class="text">{showInvisible(value)}</bdi>;
}

/** Returns the text with each such character as its number, `\u{202e}`. */
export function showInvisible(value: string): string {
  return value.replaceAll(invisible, (character) =>
    /[\t\n\r]/.test(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** The zone of the reader. Each page is rendered within it. */
export const Zone = createContext('UTC');

/** A time in the zone of the reader, with UTC as its title. `null` is a dash. */
export function Time({ at }: { at: Date | string | null }): JSX.Element {
  if (at === null) return <span class="none">–</span>;
  const date = new Date(at);
  return (
    <Zone.Consumer>
      {(zone) => (
        <time dateTime={date.toISOString()} title={zone === 'UTC' ? undefined : formatTime(date, 'UTC')}>
          {formatTime(date, zone)}
        </time>
      )}
    </Zone.Consumer>
  );
}

const digits = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;

const words = { day: 'numeric', month: 'short', year: 'numeric', ...digits, timeZoneName: 'short' } as const;

/** Returns `1 Nov 2026, 12:00:00 UTC`. */
export function formatTime(at: Date, timeZone: string): string {
  return findFormat('en-GB', { ...words, timeZone }).format(at);
}

const numbers = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  ...digits,
  fractionalSecondDigits: 3,
} as const;

/** Returns a time of the zone, such as `2026-11-01 12:00:00.012`. */
export function toLocal(at: string, timeZone: string): string {
  return findFormat('sv-SE', { ...numbers, timeZone })
    .format(new Date(at))
    .replace(',', '.');
}

/** Formats are dear to make. There are two for each zone that somebody has chosen. */
const formats = new Map<string, Intl.DateTimeFormat>();

function findFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${options.timeZone}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}
