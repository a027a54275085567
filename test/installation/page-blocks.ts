import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A block of code of a page, as its marks say what it is. */
export interface Block {
  language: string;
  /** A name of a file, `background`, `no-test` or nothing. */
  mark: string;
  text: string;
}

/** Returns the blocks of a guide in their order. */
export function readBlocks(guide: string): Block[] {
  const path = fileURLToPath(new URL(`../../docs/guides/${guide}.md`, import.meta.url));
  const found = readFileSync(path, 'utf8').matchAll(/^```(\w+)(?: ([\w./-]+))?\n([\s\S]*?)^```$/gm);
  return [...found].map(([, language = '', mark = '', text = '']) => ({ language, mark, text }));
}

/** Returns what an output must look like: `…` stands for any text. */
export function toPattern(text: string): RegExp {
  const parts = text.trim().split('…');
  return new RegExp(
    `^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`,
    'm',
  );
}
