import type { InputHTMLAttributes, JSX } from 'preact';
import { spanFieldType } from './span.ts';

export interface Option {
  value: string;
  label: string;
}

/** A field of a form or of filters, as data. */
export interface Input {
  label: string;
  /** What to type. (Default: the label says it) */
  hint?: string;
  isRequired?: boolean;
  type?: 'text' | 'number' | 'email' | 'url' | 'date' | 'search' | 'datetime-local';
  inputMode?: 'decimal' | 'numeric' | 'text';
  maxLength?: number;
  /** What there is to choose from. (Default: it is typed) */
  options?: readonly Option[];
  /** Any number of `options` may be ticked. (Default: one is chosen) */
  isMany?: boolean;
  /** What it holds at first. */
  value?: string;
}

/** Fields by their names. */
export type Inputs = Readonly<Record<string, Input | undefined>>;

interface FieldsProps {
  inputs: Inputs;
  /** What was filled in. */
  values: Readonly<Record<string, string>>;
  /** What is wrong with each. */
  faults?: Readonly<Record<string, string>>;
}

/** The fields of a form. */
export function InputFields({ inputs, values, faults = {} }: FieldsProps): JSX.Element {
  const isBack = Object.keys(inputs).some((name) => values[name] !== undefined);
  return (
    <>
      {Object.entries(inputs).map(([name, input]) => {
        if (!input) return null;
        // A form that came back has no value for boxes of which none is ticked.
        const value = input.isMany && isBack ? values[name] : (values[name] ?? input.value);
        return <Field key={name} {...input} name={name} value={value} fault={faults[name]} />;
      })}
    </>
  );
}

interface FieldProps extends Omit<Input, 'value'> {
  name: string;
  /** Boxes have commas between those that are ticked, as the frame of actions reads them. */
  value: string | undefined;
  /** What is wrong with the value. (Default: nothing) */
  fault?: string | undefined;
}

/** A field with its label and its notes, which are tied to it for those who cannot see where they stand. */
export function Field(props: FieldProps): JSX.Element {
  const { label, name, hint, fault, isMany, options } = props;
  const notes = Object.entries({ hint, fault }).filter(([, text]) => text !== undefined);
  const described = notes.map(([kind]) => `${name}-${kind}`).join(' ') || undefined;
  const shown = notes.map(([kind, text]) => (
    <p key={kind} class={kind} id={`${name}-${kind}`}>
      {text}
    </p>
  ));
  const className = fault === undefined ? 'field' : 'field wrong';
  if (isMany) {
    return (
      <fieldset class={className} aria-describedby={described}>
        <legend>{label}</legend>
        {shown}
        <Boxes {...props} />
      </fieldset>
    );
  }
  const tied = { 'aria-describedby': described, 'aria-invalid': fault === undefined ? undefined : true };
  return (
    <div class={className}>
      <label for={name}>{label}</label>
      {options ? <Choice {...props} tied={tied} /> : <Line {...props} tied={tied} />}
      {shown}
    </div>
  );
}

function Boxes({ name, value = '', options = [] }: FieldProps): JSX.Element[] {
  const ticked = new Set(value.split(','));
  return options.map((option) => (
    <label key={option.value} class="box">
      <input type="checkbox" name={name} value={option.value} checked={ticked.has(option.value)} />
      {option.label}
    </label>
  ));
}

type Tied = FieldProps & { tied: object };

function Choice({ name, value = '', options = [], isRequired, tied }: Tied): JSX.Element {
  return (
    <select {...tied} required={isRequired} id={name} name={name}>
      {options.map((option) => (
        <option key={option.value} value={option.value} selected={option.value === value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

function Line({ name, value = '', type = 'text', inputMode, maxLength, isRequired, tied }: Tied) {
  const all = {
    // A link may fill in a time, which a browser's field for days shows as nothing.
    type: type === 'date' ? spanFieldType(value) : type,
    inputMode,
    autoComplete: 'off',
    maxLength,
    required: isRequired,
    ...tied,
  } as InputHTMLAttributes<HTMLInputElement>; // Its types allow each kind of input by itself alone.
  return <input {...all} id={name} name={name} value={value} />;
}

/** Returns options that read as they are. `any` is what the one without a value is called. */
export function toOptions(values: readonly string[], any?: string): Option[] {
  const options = values.map((value) => ({ value, label: value }));
  return any === undefined ? options : [{ value: '', label: any }, ...options];
}

/** Returns options that read as words: `dead_letter` as `dead letter`. */
export function toWordOptions(values: readonly string[], any?: string): Option[] {
  return toOptions(values, any).map(({ value, label }) => ({ value, label: label.replaceAll('_', ' ') }));
}
