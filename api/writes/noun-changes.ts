import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Account } from '#db/access/accounts.ts';
import { currentTime } from '#db/clock.ts';
import { newId } from '#db/new-id.ts';
import { commitEffect, type Effect, type Change } from '#db/writes/effects.ts';
import { idTime, type IdKind } from '#domain/ids.ts';
import type { ProblemCode } from '#domain/problems.ts';
import { requireCurrent, type Versioned } from '../http/conditional-requests.ts';
import type { ApiDeps } from '../http/deps.ts';
import {
  listMissingProblems,
  requireOne,
  requireThere,
  show,
  toParams,
  toResponse,
  type Noun,
} from '../http/nouns.ts';
import {
  defineRoute,
  toAudit,
  type Access,
  type ApiRequest,
  type CallerRequest,
  type IdRequest,
  type Route,
  type RouteResponse,
} from '../http/route.ts';
import { emptyBody } from '../http/schemas.ts';
import { validateBody } from '../http/validation.ts';
import { mergePatch } from '../json/json.ts';
import type { Prepared, Write, WriteRoute } from './definition.ts';
import { storedRefusal, storedResource } from './stored-answers.ts';
import { defineWrite } from './write.ts';

/** The changes of nouns. Each is one statement, guarded by the version that was read, with its event and its audit. */

type ChangeDeps = Pick<ApiDeps, 'db' | 'config'>;

/** A change to commit. */
export interface NounChange<R> extends Pick<Effect, 'event'> {
  /** The record as it is afterwards. */
  to: R;
  change: Change;
  /** What the answer shows beside the record: a secret. */
  beside?: object;
}

/** A refusal that is the answer of the key. */
export interface Refusal {
  code: ProblemCode;
  detail?: string | undefined;
}

/** Returns the record with other values, in its next version. */
export function toNextVersion<R extends Versioned & { version: number }>(read: R, values: Partial<R>): R {
  return { ...read, ...values, updatedAt: currentTime(), version: read.version + 1 };
}

/** Returns whether the record has these values already. */
export const hasValues = <R extends object>(read: R, values: Partial<R>) =>
  isDeepStrictEqual({ ...read, ...values }, read);

/**
 * Returns the values that a merge patch (RFC 7386) makes of a resource.
 *
 * @param patch the schema of the patch, which has a member for each value.
 * @throws {ProblemError} `validation_failed` if the patch is valid, but not its result: 51 keys, for example.
 */
export function applyPatch<Values extends z.ZodType>(
  { patch, values }: { patch: z.ZodObject; values: Values },
  resource: object,
  body: object,
): z.output<Values> {
  const current = Object.entries(resource).filter(([name]) => name in patch.shape);
  return validateBody(values, mergePatch(Object.fromEntries(current), body));
}

/** A change of one, without what its noun decides. */
interface GuardedChange<R, Body extends z.ZodType> {
  access: Access;
  summary: string;
  description: string;
  body?: Body;
  problems?: ProblemCode[];
  /** Checks what the caller may do, beyond the scopes of the noun. */
  admit?: (request: CallerRequest<{ id: string }, unknown, z.output<Body>>, read: R) => void;
  /** Returns the change of what was read, `to: null` if it deletes it; `null` if nothing changes. */
  change: (request: IdRequest<z.output<Body>>, read: R) => Awaitable<NounChange<R | null> | null>;
  /** Is called after the commit. */
  afterwards?: (read: R, changed: R | null) => Promise<void>;
}

type Awaitable<T> = T | Promise<T>;

/**
 * Defines a PUT, a PATCH or a DELETE. Of two changes at once the first one wins: the tag of the second is stale then, or,
 * if it takes any state (`*`), it changes the newer record. A change that changes nothing writes nothing.
 */
export function changeGuarded<R, Body extends z.ZodType = z.ZodType<unknown>>(
  { db }: Pick<ApiDeps, 'db'>,
  noun: Noun<R>,
  method: 'PUT' | 'PATCH' | 'DELETE',
  { admit, change, afterwards, problems = [], ...route }: GuardedChange<R, Body>,
): Route {
  const isDeletion = method === 'DELETE';
  const needed: ProblemCode[] = isDeletion ? [] : ['precondition_required'];
  const responses: Record<number, RouteResponse> = isDeletion
    ? { 204: { description: 'Deleted' } }
    : { 200: toResponse(noun) };
  return defineRoute({
    ...route,
    method,
    path: `/v1/${noun.collection}/{id}`,
    params: toParams(noun),
    responses,
    problems: [...listMissingProblems(noun), 'precondition_failed', ...needed, ...problems],
    async handle(request) {
      for (;;) {
        const read = await requireOne(db, noun, request);
        requireScopes(noun, request, read);
        admit?.(request, read);
        requireCurrent(request, toVersioned(noun, read));
        const made = await change(request, read);
        if (made === null) return show(noun, read, request);
        const effect = { event: made.event, audit: toAudit(request, isDeletion ? 204 : 200) };
        if (!(await commitEffect(db, made.change, effect))) continue;
        await afterwards?.(read, made.to);
        return made.to === null ? { status: 204 } : show(noun, made.to, request);
      }
    },
  });
}

/** A POST about a noun, without what the noun decides. */
type NounWrite<Params extends z.ZodType, Body extends z.ZodType> = Omit<
  WriteRoute<Params, Body>,
  'path' | 'params' | 'responses'
> &
  Pick<Write<unknown>, 'showsSecret'> & {
    /** (Default: that of a read) */
    answer?: RouteResponse;
  };

/** What a new record begins with. */
type NewRecord = ReturnType<typeof startRecord>;

function startRecord(kind: IdKind, { id: accountId }: Account) {
  const id = newId(kind);
  const createdAt = new Date(idTime(id));
  return { id, accountId, createdAt, updatedAt: createdAt, version: 1 };
}

/** Defines the POST that makes one. */
export function defineCreation<R, Body extends z.ZodType>(
  deps: ChangeDeps,
  noun: Noun<R>,
  {
    answer = toResponse(noun),
    make,
    ...route
  }: NounWrite<z.ZodType<unknown>, Body> & {
    admit?: (request: CallerRequest<unknown, unknown, z.output<Body>>) => void;
    /** @param start what the record begins with. */
    make: (
      request: ApiRequest<unknown, unknown, z.output<Body>>,
      start: NewRecord,
    ) => Awaitable<NounChange<R> | Refusal>;
  },
): Route {
  return defineWrite<z.ZodType<unknown>, Body>(deps, {
    ...route,
    path: `/v1/${noun.collection}`,
    responses: { 201: answer },
    async prepare(request) {
      const start = startRecord(noun.kind, request.account);
      const place = { request, status: 201, resourceId: start.id } as const;
      return toPrepared(deps, noun, place, await make(request, start));
    },
  });
}

/** Defines the POST of a verb, which changes one. Without a body of its own it needs no key. */
export function defineVerb<R extends { id: string }, Body extends z.ZodType = typeof emptyBody>(
  deps: ChangeDeps,
  noun: Noun<R>,
  verb: string,
  {
    answer = toResponse(noun),
    change,
    problems = [],
    ...route
  }: NounWrite<z.ZodType<{ id: string }>, Body> & {
    /** Returns the change of what was read; `null` if nothing changes. */
    change: (request: IdRequest<z.output<Body>>, read: R) => Awaitable<NounChange<R> | Refusal | null>;
  },
): Route {
  const find = ({ account, params }: IdRequest) => noun.find(deps.db, account.id, params.id);
  const keyed = route.body
    ? {}
    : ({ body: emptyBody as unknown as Body, idempotencyKey: 'optional' } as const);
  const further: ProblemCode[] = route.body ? problems : [...problems, 'idempotency_key_reused'];
  return defineWrite<z.ZodType<{ id: string }>, Body, R | null>(deps, {
    ...route,
    ...keyed,
    path: `/v1/${noun.collection}/{id}:${verb}`,
    params: toParams(noun),
    responses: { 200: answer },
    problems: [...listMissingProblems(noun), 'precondition_failed', ...further],
    async admit(request) {
      if (!noun.scopesToChange) return null;
      // What is gone is refused later: who asks again reads the stored answer.
      const read = await find(request);
      if (read) requireScopes(noun, request, read);
      return read;
    },
    async prepare(request, admitted) {
      const read = requireThere(noun, noun.scopesToChange ? admitted : await find(request));
      requireCurrent(request, toVersioned(noun, read));
      const place = { request, status: 200, resourceId: read.id } as const;
      return toPrepared(deps, noun, place, (await change(request, read)) ?? { to: read });
    },
  });
}

/** Defines the verbs that disable one and enable it again. */
export function statusVerbs<R extends Versioned & { version: number; status: 'active' | 'disabled' }>(
  deps: ChangeDeps,
  noun: Noun<R>,
  {
    disable,
    enable,
    build,
    ...route
  }: Pick<NounWrite<z.ZodType, z.ZodType>, 'access' | 'description'> & {
    /** The summaries. */
    disable: string;
    enable: string;
    build: (read: NoInfer<R>, status: R['status']) => Change;
  },
): Route[] {
  const define = (verb: string, summary: string, status: R['status']) =>
    defineVerb<R>(deps, noun, verb, {
      ...route,
      summary,
      change: (_request, read) =>
        read.status === status
          ? null
          : { to: { ...read, status, version: read.version + 1 }, change: build(read, status) },
    });
  return [define('disable', disable, 'disabled'), define('enable', enable, 'active')];
}

function requireScopes<R>(noun: Noun<R>, request: CallerRequest, read: R): void {
  if (noun.scopesToChange) request.requireHeld(noun.scopesToChange(read));
}

/** Returns what the validators are made from. */
function toVersioned<R>(noun: Noun<R>, record: R): Versioned {
  return noun.describe?.(record).record ?? (record as R & Versioned);
}

/** Returns the write with the answer of its key: the record, or a refusal. */
function toPrepared<R>(
  deps: ChangeDeps,
  noun: Noun<R>,
  { request, status, resourceId }: { request: ApiRequest; status: 200 | 201; resourceId: string },
  made: (Partial<NounChange<R>> & Pick<NounChange<R>, 'to'>) | Refusal,
): Prepared {
  if ('code' in made) return { resourceId, answer: storedRefusal(deps, request, made.code, made.detail) };
  const { to, change, event, beside } = made;
  const answer = storedResource(request, status, {
    path: `/v1/${noun.collection}/${resourceId}`,
    record: toVersioned(noun, to),
    resource: { ...noun.present(to, request.apiVersion), ...beside },
  });
  return { resourceId, answer, event, ...(change && { change }) };
}
