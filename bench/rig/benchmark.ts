/** How often and how long a benchmark measures. */
export interface BenchmarkOptions {
  rounds: number;
  seconds: number;
}

export interface BenchmarkContext extends BenchmarkOptions {
  /** Gives up: everything that was started is stopped, and the run rejects. */
  signal: AbortSignal;
  /** Prints a line of progress. */
  say: (line: string) => void;
}

/** A result in one number. */
export interface Figure {
  what: string;
  measured: number;
  aim?: { atLeast: number } | { atMost: number };
}

/** The same results three times: for people, for programs, and for the table of all benchmarks. */
export interface BenchmarkResults {
  text: string;
  data: object;
  figures: Figure[];
}

export interface Benchmark {
  /** One line for the list of benchmarks. */
  summary: string;
  run(context: BenchmarkContext): Promise<BenchmarkResults>;
}

/** Runs `measure` once a round, and says what `describe` makes of each. */
export async function runRounds<Round>(
  { rounds, say }: BenchmarkContext,
  measure: (number: number) => Promise<Round>,
  describe: (round: Round) => string,
): Promise<Round[]> {
  const done: Round[] = [];
  for (let number = 1; number <= rounds; number += 1) {
    const round = await measure(number);
    done.push(round);
    say(`round ${number} of ${rounds}: ${describe(round)}`);
  }
  return done;
}
