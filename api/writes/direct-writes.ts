import type { z } from 'zod';
import { commitClaimed, type Effect, type Move } from '#db/writes/effects.ts';
import {
  createAnsweredClaim,
  findClaimByKey,
  sealAnswer,
  type FoundClaim,
  type NewClaim,
  type StoredAnswer,
} from '#db/writes/idempotency-keys.ts';
import { newId } from '#db/new-id.ts';
import { defineKeyedRoute, openClaim, requireMaker, type WriteRoute } from './claims.ts';
import type { ApiDeps } from '../http/deps.ts';
import { unknownWithoutDatabase } from '../http/outage.ts';
import type { ApiRequest, CallerRequest, Route } from '../http/route.ts';

/**
 * Direct writes: those that move no money and take no time. The API makes them itself: claim, effect, answer and event
 * are one statement (`docs/architecture.md`, "Decisions").
 */

/** The change that a request leads to, in the state that was read. */
export type DirectWrite =
  | ({ resourceId: string; answer: StoredAnswer; move: Move } & Pick<Effect, 'event' | 'onlyTo'>)
  /** The state refuses the request, and the refusal is the key's answer. */
  | { resourceId: string; answer: StoredAnswer; move?: undefined };

interface DirectWriteRoute<Params, Body, Subject> {
  /**
   * Reads what the write acts on, and checks what the caller may do with it. It is called before any answer, a stored one
   * too, and again if the state changed meanwhile. So it refuses a caller, and never a state. (Default: it reads nothing)
   */
  admit?: (request: CallerRequest<Params, unknown, Body>) => Subject | Promise<Subject>;
  /**
   * Reads the state and decides. It is called for a new key only, and again if the state changed meanwhile. An error is
   * not stored, and leaves the key free.
   */
  prepare: (request: ApiRequest<Params, unknown, Body>, subject: Subject) => Promise<DirectWrite>;
  /** The answer shows a secret: it is stored encrypted, and repeated to its maker alone. (Default: false) */
  showsSecret?: boolean;
}

type DirectWriteDeps = Pick<ApiDeps, 'db' | 'config'>;

/**
 * Defines the route of a direct write. The scope of its keys follows from method and path.
 *
 * The route throws {@link ProblemError} `idempotency_key_reused`, and what `prepare` throws.
 */
export function defineDirectWrite<
  Params extends z.ZodType = z.ZodType<unknown>,
  Body extends z.ZodType = z.ZodType<unknown>,
  Subject = undefined,
>(
  deps: DirectWriteDeps,
  write: WriteRoute<Params, Body> & DirectWriteRoute<z.output<Params>, z.output<Body>, Subject>,
): Route {
  const { admit, prepare, showsSecret = false, ...route } = write;
  return defineKeyedRoute(route, (request) => ({
    async findOrCreateClaim(identity) {
      const subject = (await admit?.(request)) as Subject;
      const taken = await findClaimByKey(deps.db, identity.accountId, identity.endpoint, identity.key);
      if (taken) {
        requireMaker(taken, request);
        return { ...openClaim(deps.config, taken), fresh: false };
      }
      const prepared = await prepare(request, subject);
      const { resourceId } = prepared;
      const claim = { ...identity, resourceId, claimId: newId('claim'), request: {}, startWithinMs: 0 };
      return commit(deps, claim, prepared, showsSecret).catch(unknownWithoutDatabase);
    },
    awaitAnswer: ({ claimId }) =>
      Promise.reject(new Error(`Claim ${claimId} of a direct write has no answer`)),
  }));
}

/** Commits the write with its claim. Returns `null` if the key was taken or the state changed: nothing happened then. */
async function commit(
  { db, config }: DirectWriteDeps,
  claim: NewClaim,
  { answer, move, ...effect }: DirectWrite,
  showsSecret: boolean,
): Promise<FoundClaim | null> {
  if (!move) return createAnsweredClaim(db, claim, answer);
  const stored = showsSecret ? sealAnswer(config.secretsKey, claim.claimId, answer) : answer;
  const result = await commitClaimed(db, move, { ...effect, claim, answer: stored });
  return result === 'done'
    ? { ...claim, actorId: claim.author?.actorId ?? null, answer, begun: true, fresh: true }
    : null;
}
