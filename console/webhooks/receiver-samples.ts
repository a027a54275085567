import { readFileSync } from 'node:fs';

/**
 * The receivers of `docs/webhooks.md`, letter by letter, so that the console shows code which was tried: the tests run those of
 * the page, with forged deliveries too.
 */

export interface ReceiverSample {
  language: string;
  /** How its library is installed. */
  install: string;
  code: string;
}

const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');

/** A heading with the language, the command that installs its library, and the code. */
const sample = /^### (\w+)\n\n`(.+)`\n\n```\w+\n([^`]+)^```$/gm;

export const receiverSamples: readonly ReceiverSample[] = [...page.matchAll(sample)].map(
  ([, language = '', install = '', code = '']) => ({ language, install, code }),
);
