/** Limits the bytes of bodies in memory, of all callers and of one. */
export class ByteBudget {
  readonly #total: number;
  readonly #ofOne: number;
  readonly #takenBy = new Map<string, number>();
  #taken = 0;

  /** @param share the part of the total for one caller. */
  constructor(total: number, share: number) {
    this.#total = total;
    this.#ofOne = total * share;
  }

  /** Takes the bytes, and returns whether there was room. The caller must give them back. */
  take(caller: string, bytes: number): boolean {
    const taken = (this.#takenBy.get(caller) ?? 0) + bytes;
    if (taken > this.#ofOne || this.#taken + bytes > this.#total) return false;
    this.#takenBy.set(caller, taken);
    this.#taken += bytes;
    return true;
  }

  giveBack(caller: string, bytes: number): void {
    const left = (this.#takenBy.get(caller) ?? 0) - bytes;
    if (left > 0) this.#takenBy.set(caller, left);
    else this.#takenBy.delete(caller);
    this.#taken -= bytes;
  }
}
