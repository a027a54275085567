import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';
import { upkeep, type Activities } from './proxies.ts';

/** Activities that need nothing to be told. */
type Step = {
  [Name in keyof Activities]: Parameters<Activities[Name]> extends [] ? Name : never;
}[keyof Activities];

const steps: Record<Step, () => Promise<unknown>> = upkeep;

type ResultOf<Name extends Step> = Awaited<ReturnType<Activities[Name]>>;

/** The steps of one turn of the upkeep: one that fails stops no other, and is told of at the end. */
export class UpkeepSteps {
  readonly #failed: string[] = [];

  /**
   * Takes a step.
   *
   * @param otherwise what a step that failed counts as.
   */
  async take<Name extends Step>(name: Name, otherwise: ResultOf<Name>): Promise<ResultOf<Name>> {
    try {
      return (await steps[name]()) as ResultOf<Name>;
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
      this.#failed.push(name);
      return otherwise;
    }
  }

  /**
   * Ends the turn.
   *
   * @throws {ApplicationFailure} if a step failed: it names those that did, and holds the result of the others.
   */
  end<Result>(result: Result): Result {
    if (this.#failed.length === 0) return result;
    const names = this.#failed.join(', ');
    throw ApplicationFailure.nonRetryable(`Steps failed: ${names}`, 'UpkeepFailed', result);
  }
}
