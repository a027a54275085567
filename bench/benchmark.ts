/** How often and how long a benchmark measures. */
export interface BenchmarkOptions {
  rounds: number;
  seconds: number;
}

export interface BenchmarkContext extends BenchmarkOptions {
  /** Gives up: everything that was started is stopped, and the run rejects. */
  signal: AbortSignal;
  /** A line of progress for the person who waits. */
  say: (line: string) => void;
}

/** The same results twice: for people, and for programs. */
export interface BenchmarkResults {
  text: string;
  data: object;
}

export interface Benchmark {
  /** One line for the list of benchmarks. */
  summary: string;
  run(context: BenchmarkContext): Promise<BenchmarkResults>;
}
