import type { z } from 'zod';
import type { Database } from '#db/knex.ts';
import type { Effect, Change } from '#db/writes/effects.ts';
import type { FoundClaim, NewClaim, StoredAnswer } from '#db/writes/idempotency-keys.ts';
import type { ProblemCode } from '#domain/problems.ts';
import type { Access, CallerRequest, Route } from '../http/route.ts';

/** What a write is: how its request is prepared, and who carries it out. */

/** A request made ready for its claim. */
export interface Prepared<Subject = unknown> extends Partial<Pick<Effect, 'event' | 'onlyTo'>> {
  resourceId: string;
  /** The valid request, from which begin makes the row. */
  request?: object;
  /** What the request is about, for its execution. */
  subject?: Subject;
  /** The answer, if the state that was read already decides it. */
  answer?: StoredAnswer;
  /** The change of a direct write. Without it, the answer is a refusal. */
  change?: Change;
}

export interface Write<Request, Admitted = unknown, Subject = unknown> {
  /**
   * Checks what the caller may do. It is called before any answer, a stored one too, and again if the state changed
   * meanwhile. So it refuses a caller, and never a state. (Default: it checks nothing)
   */
  admit?: ((request: Request & CallerRequest) => Admitted | Promise<Admitted>) | undefined;
  /**
   * Prepares the request of a new key. An error is not stored, and leaves the key free. A repeat gets its stored answer
   * whatever comes of this: a card that was detached must not turn a replay into a 422.
   */
  prepare: (request: Request, admitted: Admitted) => Prepared<Subject> | Promise<Prepared<Subject>>;
  /**
   * Whether `prepare` may also run for a repeat. It must change nothing, and cost little. Then the key is looked up and claimed in
   * one statement. (Default: the key is looked up before `prepare`)
   */
  isRepeatable?: ((request: Request) => boolean) | undefined;
  /** The answer shows a secret: it is stored encrypted, and repeated to its maker alone. (Default: it shows none) */
  showsSecret?: boolean;
  /** Who carries the write out. (Default: a direct write) */
  execution?: Execution<Request, Subject>;
  /** How long the claim may wait for its begin, in milliseconds. (Default: the caller's window) */
  startWithinMs?: number;
}

/** A write whose claim has no answer yet. */
export interface ClaimedWrite<Request, Subject> {
  claim: FoundClaim & Pick<NewClaim, 'key'>;
  request: Request;
  /** As `prepare` returned it; `undefined` for a repeat. */
  subject?: Subject | undefined;
}

/**
 * The answer, or how it comes.
 *
 * - `open`: somebody works on it, who stores the answer.
 * - `unavailable`: nobody could be asked to begin.
 */
export type Taken = StoredAnswer | 'open' | 'unavailable';

export interface Execution<Request, Subject> {
  /** Takes the first steps of a fresh claim, by the deadline. */
  begin(write: ClaimedWrite<Request, Subject>, deadline: number): Promise<Taken>;
  /** Has somebody go on with the claim of another request. (Default: that request alone does; a repeat waits for it) */
  resume?(write: ClaimedWrite<Request, Subject>, deadline: number): Promise<Taken>;
  /** Returns the processor's last fault under the claim, for the caller whose wait ends without an outcome. */
  findFault?(db: Database, resourceId: string): Promise<ProblemCode | null>;
}

/** The route of a write: a POST. `idempotencyKey` says whether callers must send a key. (Default: required) */
export type WriteRoute<Params extends z.ZodType, Body extends z.ZodType> = Omit<
  Route<'account', Params, z.ZodType<unknown>, Body>,
  'caller' | 'access' | 'method' | 'handle'
> & { access: Access };
