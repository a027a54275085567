import type { JSX } from 'preact';

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
