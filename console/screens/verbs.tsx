import { z } from 'zod';
import { may } from '../session/session.ts';
import { InputFields, type Input } from '../parts/form.tsx';
import type { Action, ApiCall, Done, Faults, Visit } from '../page.ts';

/** A field of a form, with what may be typed into it. */
export interface FormInput extends Input {
  is: z.ZodType;
}

type Form = Readonly<Record<string, FormInput>>;

/** What a form gives, once it is read. */
export type FormValues<F extends Form> = { [Name in keyof F]: z.output<F[Name]['is']> };

type Check<F extends Form> = (values: FormValues<F>, issues: z.core.$RefinementCtx<FormValues<F>>) => void;

/** Returns what the fields of a form must be, each by itself and together. */
export function toSchema<F extends Form>(form: F, check?: Check<F>): z.ZodType<FormValues<F>> {
  const members = Object.entries(form).map(([name, { is }]) => [name, is]);
  const schema = z.object(Object.fromEntries(members)) as unknown as z.ZodType<FormValues<F>>;
  return check ? schema.superRefine(check) : schema;
}

/** Returns what is wrong, by the names of the fields. The first fault of a field is the one to mend first. */
export function toFaults({ issues }: z.core.$ZodError): Faults {
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.join('.'), message]));
}

/** What a person does with a record: what it says, the one call that it makes, and the fields that it asks for. */
export interface Verb<T, F extends Form> extends Pick<Action, 'path' | 'scope'> {
  title: string;
  /** What leads to it from the page of its record. (Default: the title, with an ellipsis) */
  label?: string;
  /** Whether it is offered for the record as it is now. (Default: always) */
  when?: (record: T, visit: Visit) => boolean;
  /** Reads the record. (Default: there is none) */
  load?: (visit: Visit) => PromiseLike<T>;
  /** (Default: there is nothing to fill in) */
  form?: F | ((record: T) => F);
  /** What its fields must be together. */
  check?: Check<F>;
  says: (record: T, values: FormValues<F>, visit: Visit) => string | readonly string[];
  /** Such as `POST /v1/charges/{id}:cancel`, with the id of the page. */
  call: CallTemplate | ((record: T, values: FormValues<F>, visit: Visit) => CallTemplate);
  body?: (record: T, values: FormValues<F>, visit: Visit) => Record<string, unknown>;
  ifMatch?: (record: T) => string;
  /** The text of its button. (Default: the title) */
  submit?: string | ((record: T, values: FormValues<F>) => string);
  /** Where it leads: an address with the id of the page, or what the answer says. (Default: the page of the record) */
  done?: string | ((answer: Made, visit: Visit, call: ApiCall) => string | Done);
}

type CallTemplate = `${ApiCall['method']} /${string}`;

/** What each answer to a write has; the rest is known to who reads it. */
// oxlint-disable-next-line typescript/no-explicit-any -- the action knows what its call answers
type Made = any;

/** A verb as the frame serves it, and as pages link to it. */
export interface AnyVerb<T> extends Action {
  label: string;
  /** Whether this person is offered it for the record as it is now. A method, so that a verb may load more than a page has. */
  isOffered(record: T, visit: Visit): boolean;
}

// oxlint-disable-next-line typescript/no-empty-object-type -- without a form there are no values
export function verb<T, F extends Form = {}>(given: Verb<T, F>): AnyVerb<T> {
  const { path, scope, title, label = `${title}…`, load, says, call, body, ifMatch, submit = title } = given;
  const { done = path.slice(0, path.lastIndexOf('/')) } = given;
  const readForm = (record: T) => (typeof given.form === 'function' ? given.form(record) : given.form);
  const action: Action<T, FormValues<F>> = {
    path,
    section: null,
    scope,
    title: () => title,
    load: async (visit) => (load ? load(visit) : (null as T)),
    fields(record, values, _visit, faults) {
      const form = readForm(record);
      return form ? <InputFields inputs={form} values={values} faults={faults} /> : null;
    },
    values: (record) => toSchema(readForm(record) ?? ({} as F), given.check),
    preview(record, values, visit) {
      const template = typeof call === 'string' ? call : call(record, values, visit);
      const [method, to] = template.split(' ') as [ApiCall['method'], string];
      return {
        sentences: [says(record, values, visit)].flat(),
        call: {
          method,
          path: to.replace('{id}', () => encodeURIComponent(visit.id)),
          ...(body && { body: body(record, values, visit) }),
          ...(ifMatch && { ifMatch: ifMatch(record) }),
        },
        submit: typeof submit === 'string' ? submit : submit(record, values),
      };
    },
    done(answer, visit, sent) {
      const next = typeof done === 'string' ? done.replace('{id}', visit.id) : done(answer, visit, sent);
      return typeof next === 'string' ? { location: next } : next;
    },
  };
  return {
    ...(action as Action),
    label,
    isOffered: (record, visit) => may(visit.session, scope) && (given.when?.(record, visit) ?? true),
  };
}

/** Returns the address of what the answer made, in this folder. */
export function toMade(folder: string): (answer: Made) => string {
  return ({ id }: { id: string }) => folder + id;
}
