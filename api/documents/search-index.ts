/** An index of texts: which of them have a word, as a part of a longer word too, and how often. */

/** More hits in one text say no more. */
const mostHits = 5;

export class SearchIndex {
  readonly #text: string;
  /** Where each text begins, and at last where a next one would. */
  readonly #starts: number[] = [0];

  /** @param texts those that are searched, without regard to case. */
  constructor(texts: readonly string[]) {
    const parts = texts.map((text) => text.toLowerCase());
    // No word holds the separator.
    this.#text = parts.join('\n');
    for (const part of parts) this.#starts.push(this.#starts.at(-1)! + part.length + 1);
  }

  /** Returns how often each text has the word, 5 times at most; texts without it are left out. */
  count(word: string): Map<number, number> {
    const hits = new Map<number, number>();
    let index = 0;
    for (let at = this.#text.indexOf(word); at !== -1; at = this.#text.indexOf(word, at)) {
      while (this.#starts[index + 1]! <= at) index += 1;
      const count = (hits.get(index) ?? 0) + 1;
      hits.set(index, count);
      at = count < mostHits ? at + word.length : this.#starts[index + 1]!;
    }
    return hits;
  }
}
