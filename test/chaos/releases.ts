import type { Release } from '../releases/checkout.ts';

/** Which release each process is started with, in a run that mixes two: by turns, and in the end this one. */
export class Releases {
  readonly #other: Release | null;
  readonly #runOther = new Set<string>();
  #isOver = false;

  /** @param other `null`: all processes are of this release. */
  constructor(other: Release | null) {
    this.#other = other;
  }

  /** Returns the settings of a process's next start: the other release first. */
  next(name: string): NodeJS.ProcessEnv {
    const ranOther = this.#runOther.delete(name);
    if (this.#other === null || this.#isOver || ranOther) return {};
    this.#runOther.add(name);
    return { PROGRAMS: this.#other.programs };
  }

  /** From now on only this release is started. Returns the processes that still run the other one. */
  end(): string[] {
    this.#isOver = true;
    return [...this.#runOther];
  }
}

/** Whether two JSON texts agree in all members that both have. */
export function agree(one: string, other: string): boolean {
  return agreeIn(JSON.parse(one), JSON.parse(other));
}

function agreeIn(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, n) => agreeIn(item, other[n]));
  if (!isObject(one) || !isObject(other)) return one === other;
  return Object.entries(one).every(([name, value]) => !(name in other) || agreeIn(value, other[name]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
