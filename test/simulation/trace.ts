import type { Clock } from './clock.ts';
import { beginMs } from './clock.ts';

/** An id of ours: random, and so different in each run of a seed. */
const ids = /\b(acct|ch|re|clm|evt)_[0-7][0-9A-HJKMNP-TV-Z]{25}/g;

/** What happened, a line a step. Ids are named by their order, so a seed gives the same bytes each time. */
export class Trace {
  readonly lines: string[] = [];
  readonly #clock: Clock;
  readonly #names = new Map<string, string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param who the worker, the caller, or the part of the world that acts. */
  write(who: string, what: string): void {
    const at = ((this.#clock.nowMs - beginMs) / 1_000).toFixed(3).padStart(10);
    this.lines.push(`${at} ${who.padEnd(10)} ${this.name(what)}`);
  }

  /** Replaces each id in a text by its name: `ch#1`. */
  name(text: string): string {
    return text.replaceAll(ids, (id, kind: string) => {
      const known = this.#names.get(id);
      if (known) return known;
      const count = [...this.#names.values()].filter((name) => name.startsWith(`${kind}#`)).length;
      this.#names.set(id, `${kind}#${count + 1}`);
      return this.#names.get(id)!;
    });
  }
}
