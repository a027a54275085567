import type { JSX } from 'preact';
import type { z } from 'zod';
import type { Scope } from '#domain/scopes.ts';
import type { Section, Visit } from './page.ts';

/**
 * A write that a person makes: a form, a preview that says in words what will happen, and one call of the API. The frame
 * (`serving/actions.tsx`) gives each preview an Idempotency-Key, so that a double click, a reload and "back" are one write.
 */
export interface Action<Data = unknown, Values = unknown> {
  /** A template such as `/payments/{id}/refund`. */
  path: string;
  section: Section | null;
  scope: Scope;
  title(visit: Visit): string;
  /** Reads what the form needs. @throws as a region's `load` */
  load(visit: Visit): Promise<Data>;
  /**
   * The fields, in their present state. `null`: there is nothing to fill in, and the preview comes first.
   *
   * @param values what was typed so far, or the query of the address at first.
   * @param faults what is wrong with each field, by its name.
   */
  fields(data: Data, values: FormValues, visit: Visit, faults: Faults): JSX.Element | null;
  /** Over the form's strings, by what was loaded if it must be. Its messages are shown at the fields of their paths. */
  values: z.ZodType<Values> | ((data: Data) => z.ZodType<Values>);
  preview(data: Data, values: Values, visit: Visit): Preview;
  /** Where to go after the answer, or what to show once. `call` is what was sent. */
  done(answer: unknown, visit: Visit, call: ApiCall): Done;
}

export type FormValues = Readonly<Record<string, string>>;

export type Faults = Readonly<Record<string, string>>;

export interface Preview {
  /** What will happen, in words. */
  sentences: string[];
  call: ApiCall;
  /** The text of the button, such as `Refund 5.00 EUR`. */
  submit: string;
}

/** The call that the preview shows, and that is sent. */
export interface ApiCall {
  method: 'POST' | 'PATCH' | 'DELETE';
  /** Starts with `/v1/` or `/operator/`. */
  path: string;
  body?: Record<string, unknown>;
  /** The entity tag that the change is based on. */
  ifMatch?: string;
}

export type Done =
  | { location: string }
  /** `value` is shown on this answer and never again; `next` is where the link below it leads. */
  | { secret: { label: string; value: string; next: string } };

// oxlint-disable-next-line typescript/no-explicit-any -- each action has data and values of its own
export type AnyAction = Action<any, any>;

export function defineAction<Data, Values>(action: Action<Data, Values>): Action<Data, Values> {
  return action;
}
