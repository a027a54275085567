import { randomUUID } from 'node:crypto';
import type { JSX } from 'preact';
import { ConnectionError, ProblemError as ApiProblem } from '#client/src/index.ts';
import { ProblemError } from '#domain/problems.ts';
import type { Context } from '#http/context.ts';
import type { ConsoleDeps } from '../deps.ts';
import { Problem } from '../parts/problem.tsx';
import { toFaults } from '../screens/verbs.tsx';
import { leadTo, toOwnAddress } from '../session/own-address.ts';
import { FormView, NotKnown, Notice, SecretView, SendView, Sentences } from './action-views.tsx';
import { toFailure, type Failure } from './failures.ts';
import { toValues } from './forms.ts';
import { seal, unseal, type SealedForm } from './sealed-forms.ts';
import type { AnyAction, ApiCall, Faults, FormValues, Visit } from '../page.ts';
import { renderDocument, sendHtml } from './documents.tsx';

/** One request of one action. */
interface ActionRequest {
  ctx: Context;
  visit: Visit;
  values: FormValues;
}

interface FormNotes {
  status?: number;
  faults?: Faults;
  failure?: Failure;
  notice?: string;
}

interface PreviewNotes {
  notice?: string | undefined;
  /** The Idempotency-Key of the form. (Default: a new one) */
  key?: string;
}

const notices = {
  expired: 'This form is more than an hour old, so nothing was sent. Look it over, and send it again.',
  foreign: 'This form was not made for this session, so nothing was sent. Look it over, and send it again.',
};

/**
 * Serves an action: GET shows the form, which has a key, a POST of it the preview, and a POST of the preview sends the one
 * call that it showed, under that key. So a double click, a reload and "back" repeat a request that the API knows.
 */
export class ActionServer {
  readonly #action: AnyAction;
  readonly #sealing: ConsoleDeps['sealing'];
  readonly #log: ConsoleDeps['log'];

  constructor(action: AnyAction, { sealing, log }: Pick<ConsoleDeps, 'sealing' | 'log'>) {
    this.#action = action;
    this.#sealing = sealing;
    this.#log = log;
  }

  /** Answers a request. @throws {SessionEnded} */
  async serve(ctx: Context, visit: Visit, form: URLSearchParams): Promise<void> {
    const isPost = ctx.method === 'POST';
    const values = isPost ? toValues(form, ['step', 'sealed', 'draft']) : toValues(visit.query);
    const request = { ctx, visit, values };
    const step = isPost ? form.get('step') : 'edit';
    if (step === 'send') return this.#send(request, form.get('sealed') ?? '');
    if (step === 'edit') return this.#showForm(request);
    const draft = form.get('draft');
    if (draft === null) return this.#showPreview(request);
    const opened = await unseal(this.#sealing, 'draft', draft, visit);
    if (typeof opened === 'string') return this.#showForm(request, { status: 409, notice: notices[opened] });
    return this.#showPreview(request, { key: opened.key });
  }

  async #showForm(request: ActionRequest, notes: FormNotes = {}): Promise<void> {
    const { visit, values } = request;
    const data = await this.#load(request);
    if (data === undefined) return;
    const faults = notes.faults ?? {};
    const fields = this.#action.fields(data.value, values, visit, faults);
    if (fields === null && !notes.failure) return this.#showPreview(request, { notice: notes.notice });
    const { failure, notice, status = 200 } = notes;
    const view =
      fields === null ? (
        <Problem {...(failure as Failure)} />
      ) : (
        <FormView
          fields={fields}
          draft={await seal(this.#sealing, 'draft', { key: randomUUID() }, visit)}
          faults={faults}
          above={failure ? <Problem {...failure} /> : <Notice text={notice} />}
        />
      );
    await this.#show(request, status, view);
  }

  async #showPreview(
    request: ActionRequest,
    { notice, key = randomUUID() }: PreviewNotes = {},
  ): Promise<void> {
    const { visit, values } = request;
    const data = await this.#load(request);
    if (data === undefined) return;
    const schema =
      typeof this.#action.values === 'function' ? this.#action.values(data.value) : this.#action.values;
    const parsed = schema.safeParse(values);
    // Without a form nobody can mend what the address says.
    if (!parsed.success && this.#action.fields(data.value, values, visit, {}) === null)
      throw new ProblemError('not_found');
    if (!parsed.success) return this.#showForm(request, { status: 422, faults: toFaults(parsed.error) });
    const { call, sentences, submit } = this.#action.preview(data.value, parsed.data, visit);
    const form = { key, call: withBody(call), sentences, submit };
    const sealed = await seal(this.#sealing, 'form', form, visit);
    const canEdit = this.#action.fields(data.value, values, visit, {}) !== null;
    const view = (
      <SendView {...{ form, sealed, values, visit, canEdit }}>
        <Notice text={notice} />
        <Sentences sentences={sentences} />
      </SendView>
    );
    await this.#show(request, notice === undefined ? 200 : 409, view);
  }

  async #send(request: ActionRequest, sealed: string): Promise<void> {
    const { ctx, visit, values } = request;
    const form = await unseal(this.#sealing, 'form', sealed, visit);
    if (typeof form === 'string') return this.#showForm(request, { status: 409, notice: notices[form] });
    const outcome = await callOnce(visit, form);
    if (outcome === 'unknown') {
      ctx.set('Retry-After', '5');
      const view = (
        <SendView {...{ form, sealed, values, visit }} canEdit={false}>
          <NotKnown traceId={visit.traceId} />
        </SendView>
      );
      return this.#show(request, 504, view);
    }
    if ('failure' in outcome) {
      const { failure, faults } = outcome;
      if (failure.isFault) this.#log.error({ err: outcome.cause, trace_id: visit.traceId }, 'action failed');
      return this.#showForm(request, { status: failure.status, failure, faults });
    }
    const done = this.#action.done(outcome.body, visit, form.call);
    if ('secret' in done) return this.#show(request, 200, <SecretView {...done.secret} />);
    leadTo(ctx, toOwnAddress(done.location));
  }

  /** Returns `undefined` after it has answered that what the form needs cannot be read. */
  async #load(request: ActionRequest): Promise<{ value: unknown } | undefined> {
    try {
      return { value: await this.#action.load(request.visit) };
    } catch (error) {
      const failure = toFailure(error, request.visit);
      if (failure.status === 404) throw new ProblemError('not_found');
      if (failure.isFault) this.#log.error({ err: error, trace_id: request.visit.traceId }, 'action failed');
      await this.#show(request, failure.status, <Problem {...failure} />);
      return undefined;
    }
  }

  #show({ ctx, visit }: ActionRequest, status: number, content: JSX.Element): Promise<void> {
    const shell = { title: this.#action.title(visit), visit, section: this.#action.section };
    return sendHtml(ctx, status, renderDocument(shell, content));
  }
}

type Outcome = { body: unknown } | { failure: Failure; faults: Faults; cause: unknown } | 'unknown';

/** Sends the call under its key. @throws {SessionEnded} */
async function callOnce(visit: Visit, { call, key }: SealedForm): Promise<Outcome> {
  try {
    const { body } = await visit.api.request(call.method, call.path, toOptions(call, key));
    return { body };
  } catch (error) {
    if (error instanceof ConnectionError) return 'unknown';
    if (error instanceof ApiProblem && isUndecided(error)) return 'unknown';
    const failure = toFailure(error, visit);
    return { failure, faults: error instanceof ApiProblem ? readFaults(error) : {}, cause: error };
  }
}

/** The API takes an empty object where a write says nothing. */
function withBody(call: ApiCall): ApiCall {
  return call.method === 'DELETE' ? call : { ...call, body: call.body ?? {} };
}

function toOptions({ body, ifMatch }: ApiCall, idempotencyKey: string) {
  return { idempotencyKey, ...(body && { body }), ...(ifMatch !== undefined && { ifMatch }) };
}

/** Whether the write may still have its effect, or has had it. */
function isUndecided({ status, code }: ApiProblem): boolean {
  return status >= 500 || code === 'idempotency_key_in_progress';
}

/** The faults of the API's `errors`, by the name of the field that the member came from. */
function readFaults({ problem }: ApiProblem): Faults {
  const { errors = [] } = (problem ?? {}) as { errors?: { pointer: string; detail: string }[] };
  return Object.fromEntries(
    errors.map(({ pointer, detail }) => [pointer.replace(/^\//, '').replaceAll('/', '.'), detail]),
  );
}
