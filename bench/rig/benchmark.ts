/** How often and how long a benchmark measures. */
export interface BenchmarkOptions {
  rounds: number;
  seconds: number;
  /** How long memory is watched. */
  minutes: number;
}

export interface BenchmarkContext extends BenchmarkOptions {
  /** Gives up: everything that was started is stopped, and the run rejects. */
  signal: AbortSignal;
  /** A line of progress for the person who waits. */
  say: (line: string) => void;
}

/** What a benchmark is about, in a number. */
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
