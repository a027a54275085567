import type { InputHTMLAttributes, JSX } from 'preact';

interface FieldProps {
  label: string;
  name: string;
  value: string | undefined;
  /** What is wrong with the value. (Default: nothing) */
  fault?: string | undefined;
  /** What to type. (Default: the label says it) */
  hint?: string;
  isRequired?: boolean;
}

interface TextFieldProps extends FieldProps {
  type?: 'text' | 'number' | 'email' | 'url' | 'date' | 'search' | 'datetime-local';
  inputMode?: 'decimal' | 'numeric' | 'text';
  autoComplete?: string;
  maxLength?: number;
}

/** A field of one line. */
export function Field(props: TextFieldProps): JSX.Element {
  const { name, value, type = 'text', inputMode, autoComplete = 'off', maxLength } = props;
  const { 'aria-describedby': notes, 'aria-invalid': isWrong, required } = described(props);
  // Its types allow each kind of input by itself, and not a choice of them.
  const attributes = {
    type,
    inputMode,
    autoComplete,
    maxLength,
    required,
    'aria-describedby': notes,
    'aria-invalid': isWrong,
  } as InputHTMLAttributes<HTMLInputElement>;
  return (
    <Labelled {...props}>
      <input {...attributes} id={name} name={name} value={value ?? ''} />
    </Labelled>
  );
}

/** A field of several lines. */
export function TextArea(props: FieldProps & { rows?: number }): JSX.Element {
  return (
    <Labelled {...props}>
      <textarea {...described(props)} id={props.name} name={props.name} rows={props.rows ?? 4}>
        {props.value ?? ''}
      </textarea>
    </Labelled>
  );
}

export interface Option {
  value: string;
  label: string;
}

/** A choice of one. */
export function Select(props: FieldProps & { options: readonly Option[] }): JSX.Element {
  const { name, options, value = '' } = props;
  return (
    <Labelled {...props}>
      <select {...described(props)} id={name} name={name}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** A choice of any number. `value` has commas between those that are ticked, as the frame of actions reads them. */
export function Boxes({ label, name, value = '', fault, hint, options }: BoxesProps): JSX.Element {
  const ticked = new Set(value.split(','));
  return (
    <fieldset
      class={fault === undefined ? 'field' : 'field wrong'}
      aria-describedby={noteIds(name, hint, fault)}
    >
      <legend>{label}</legend>
      <Notes name={name} hint={hint} fault={fault} />
      {options.map((option) => (
        <label key={option.value} class="box">
          <input type="checkbox" name={name} value={option.value} checked={ticked.has(option.value)} />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}

type BoxesProps = FieldProps & { options: readonly Option[] };

function Labelled(props: FieldProps & { children: JSX.Element }): JSX.Element {
  return (
    <div class={props.fault === undefined ? 'field' : 'field wrong'}>
      <label for={props.name}>{props.label}</label>
      {props.children}
      <Notes name={props.name} hint={props.hint} fault={props.fault} />
    </div>
  );
}

function Notes({ name, hint, fault }: Pick<FieldProps, 'name' | 'fault'> & { hint: string | undefined }) {
  return (
    <>
      {hint === undefined ? null : (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {fault === undefined ? null : (
        <p class="fault" id={`${name}-fault`}>
          {fault}
        </p>
      )}
    </>
  );
}

/** What ties a field to its notes, for those who cannot see where they stand. */
function described({ name, hint, fault, isRequired }: FieldProps) {
  return {
    'aria-describedby': noteIds(name, hint, fault),
    'aria-invalid': fault === undefined ? undefined : ('true' as const),
    required: isRequired,
  };
}

function noteIds(name: string, hint: string | undefined, fault: string | undefined): string | undefined {
  const ids = [hint !== undefined && `${name}-hint`, fault !== undefined && `${name}-fault`].filter(Boolean);
  return ids.length === 0 ? undefined : ids.join(' ');
}
