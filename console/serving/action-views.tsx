import type { ComponentChildren, JSX } from 'preact';
import type { SealedForm } from './sealed-forms.ts';
import type { Faults, FormValues, Visit } from '../page.ts';
import { LinkLine, showInvisible } from '../parts/values.tsx';

/** The pages of an action: its form, its preview, and what became of it. */

interface FormProps {
  fields: JSX.Element;
  /** The sealed key. */
  draft: string;
  faults: Faults;
  /** What became of the last try, or what to know. */
  above: ComponentChildren;
}

export function FormView({ fields, draft, faults, above }: FormProps): JSX.Element {
  return (
    <>
      {above}
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

interface SendProps {
  form: SealedForm;
  sealed: string;
  values: FormValues;
  visit: Visit;
  /** Whether there is a form to go back to. */
  canEdit: boolean;
  children: ComponentChildren;
}

/** Says what will happen, or what is not known, sends the call that was shown, and shows it as a command. */
export function SendView({ form, sealed, values, canEdit, visit, children }: SendProps): JSX.Element {
  return (
    <>
      {children}
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
      <details class="api-request">
        <summary>As an API request</summary>
        <pre>
          <code>{showInvisible(toCommand(form, visit.links.apiUrl))}</code>
        </pre>
      </details>
    </>
  );
}

export function Sentences({ sentences }: { sentences: readonly string[] }): JSX.Element {
  return (
    <>
      <h2>What will happen</h2>
      <ul class="sentences">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  );
}

/** No answer came in time: the same form follows again, with the same key. */
export function NotKnown({ traceId }: { traceId: string }): JSX.Element {
  return (
    <div class="problem waiting" role="alert">
      <p>
        <strong>Not known yet.</strong> No answer came in time. Sending this again is the same request: it
        happens once.
      </p>
      <p class="origin">
        trace <code class="id">{traceId}</code>
      </p>
    </div>
  );
}

/** Returns the call as a command, made from the value that is sent. */
function toCommand({ call, key }: SealedForm, apiUrl: string): string {
  const { method, path, body, ifMatch } = call;
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = [
    'Authorization: Bearer $TOKEN',
    ...(method === 'POST' ? [`Idempotency-Key: ${key}`] : []),
    ...(ifMatch === undefined ? [] : [`If-Match: ${ifMatch}`]),
    ...(body === undefined ? [] : [`Content-Type: ${type}`]),
  ];
  return [
    `curl -X ${method} ${quote(apiUrl + path)}`,
    ...headers.map((header) => `-H ${header.includes('$TOKEN') ? `"${header}"` : quote(header)}`),
    ...(body === undefined ? [] : [`-d ${quote(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

/** For a POSIX shell: within single quotes nothing but their own end has a meaning. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** What is shown on this answer alone. */
export function SecretView({ label, value, next }: Record<'label' | 'value' | 'next', string>): JSX.Element {
  return (
    <div class="secret">
      <p>
        <strong>{label}</strong>. It is shown now, and never again.
      </p>
      <p>
        <code class="id">{value}</code> <span class="copy" data-copy={value} />
      </p>
      <LinkLine href={next}>Go on</LinkLine>
    </div>
  );
}

export function Notice({ text }: { text: string | undefined }): JSX.Element | null {
  if (text === undefined) return null;
  return (
    <p class="notice" role="alert">
      {text}
    </p>
  );
}
