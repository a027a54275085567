/** Numbers that a seed decides: the same seed gives the same ones in the same order. */
export interface Random {
  /** From 0 to 1, 1 excluded. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Each entry as often as its weight says. */
  weighted<T>(items: readonly (readonly [weight: number, item: T])[]): T;
  /** 12 letters, for a key or a name. */
  word(): string;
  /** One of its own, so that what one thread draws does not depend on what another does meanwhile. */
  fork(name: string): Random;
}

export function createRandom(seed: string): Random {
  let state = hash(seed);
  // Mulberry32, by Tommy Ettinger.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick: (items) => items[integer(0, items.length - 1)]!,
    weighted(items) {
      let left = next() * items.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, item] of items) {
        left -= weight;
        if (left < 0) return item;
      }
      return items.at(-1)![1];
    },
    word: () => Array.from({ length: 12 }, () => letters[integer(0, letters.length - 1)]).join(''),
    fork: (name) => createRandom(`${seed}/${name}`),
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ char.charCodeAt(0), 0x01000193);
  return value;
}
