import type { JSX } from 'preact';
import type { Faults, FormValues } from '../action.ts';
import type { Visit } from '../page.ts';
import { ApiRequest } from '../parts/api-request.tsx';
import { Problem, type ProblemProps } from '../parts/problem.tsx';
import type { SealedForm } from './sealed-forms.ts';

/** The pages of an action: its form, its preview, and what became of it. */

interface FormProps {
  fields: JSX.Element;
  /** The sealed key. */
  draft: string;
  faults: Faults;
  /** What became of the last try. (Default: there was none) */
  problem?: ProblemProps | undefined;
  notice?: string | undefined;
}

export function FormView({ fields, draft, faults, problem, notice }: FormProps): JSX.Element {
  return (
    <>
      {problem ? <Problem {...problem} /> : null}
      <Notice text={notice} />
      <FaultList faults={faults} />
      <form class="action" method="post" noValidate>
        <input type="hidden" name="draft" value={draft} />
        {fields}
        <p class="buttons">
          <button type="submit" name="step" value="preview">
            Preview
          </button>
        </p>
      </form>
    </>
  );
}

/** Names every fault at the top, with a link to its field. */
function FaultList({ faults }: { faults: Faults }): JSX.Element | null {
  const entries = Object.entries(faults);
  if (entries.length === 0) return null;
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{entries.length === 1 ? 'One thing is wrong' : `${entries.length} things are wrong`}</strong>
      </p>
      <ul>
        {entries.map(([name, fault]) => (
          <li key={name}>
            <a href={`#${name}`}>{fault}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface PreviewProps {
  form: SealedForm;
  sealed: string;
  values: FormValues;
  visit: Visit;
  /** Whether there is a form to go back to. */
  canEdit: boolean;
  notice?: string | undefined;
}

export function PreviewView({ form, sealed, values, visit, canEdit, notice }: PreviewProps): JSX.Element {
  return (
    <>
      <Notice text={notice} />
      <h2>What will happen</h2>
      <ul class="sentences">
        {form.sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <SendForm form={form} sealed={sealed} values={values} canEdit={canEdit} />
      <ApiRequest call={form.call} apiUrl={visit.links.apiUrl} idempotencyKey={form.key} />
    </>
  );
}

function SendForm({ form, sealed, values, canEdit }: Omit<PreviewProps, 'visit'>): JSX.Element {
  return (
    <form class="action" method="post">
      <input type="hidden" name="sealed" value={sealed} />
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <p class="buttons">
        <button type="submit" name="step" value="send">
          {form.submit}
        </button>
        {canEdit ? (
          <button type="submit" name="step" value="edit" class="plain">
            Change
          </button>
        ) : null}
      </p>
    </form>
  );
}

/** No answer came in time: the same form again, with the same key. */
export function UnknownView(props: Omit<PreviewProps, 'notice' | 'canEdit'>): JSX.Element {
  const { traceId } = props.visit;
  return (
    <>
      <div class="problem waiting" role="alert">
        <p>
          <strong>Not known yet.</strong> No answer came in time. Sending this again is the same request: it
          happens once.
        </p>
        <p class="origin">
          trace <code class="id">{traceId}</code>
        </p>
      </div>
      <SendForm {...props} canEdit={false} />
      <ApiRequest call={props.form.call} apiUrl={props.visit.links.apiUrl} idempotencyKey={props.form.key} />
    </>
  );
}

/** What is shown on this answer alone. */
export function SecretView({
  label,
  value,
  next,
}: {
  label: string;
  value: string;
  next: string;
}): JSX.Element {
  return (
    <div class="secret">
      <p>
        <strong>{label}</strong>. It is shown now, and never again.
      </p>
      <p>
        <code class="id">{value}</code> <span class="copy" data-copy={value} />
      </p>
      <p>
        <a href={next}>Go on</a>
      </p>
    </div>
  );
}

function Notice({ text }: { text: string | undefined }): JSX.Element | null {
  if (text === undefined) return null;
  return (
    <p class="notice" role="alert">
      {text}
    </p>
  );
}
