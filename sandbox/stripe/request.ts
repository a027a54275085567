import type { Outcome, Timing } from './confirm.ts';
import type { Draft } from './draft.ts';

/** A request of the dialect that was understood: everything a handler needs. */
export interface StripeRequest<Params> {
  draft: Draft;
  params: Params;
  /** The id in the path; empty where there is none. */
  id: string;
  /** The sandbox's own address, as the caller wrote it. */
  origin: string;
  timing: Timing;
  /** A test has staged that this refund is pending at first. */
  isPending: boolean;
}

/** Changes the draft and answers. @throws {StripeRefusal}, and then nothing of the draft counts. */
export type Handler<Params> = (request: StripeRequest<Params>) => Outcome;

export function ok(body: object): Outcome {
  return { status: 200, body };
}
