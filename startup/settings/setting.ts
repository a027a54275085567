import { z } from 'zod';

/** What a setting takes: the schema of its text. Its description says in words which texts it takes. */
export type Kind<T> = z.ZodType<T, string>;

/** What people read of a setting, in Markdown: docs/settings.md is made of it. */
export interface About {
  /** What the setting does. */
  does: string;
  /** Why somebody would change it; completes "change it if". */
  change: string;
  /** The value may stand in a file, which `NAME_FILE` names. */
  isSecret?: boolean;
}

/** One environment variable, described in the one place that makes it. `docs/settings.md` is made from these. */
export interface Setting<T> {
  /** The environment variable. */
  name: string;
  /** What it takes. */
  kind: Kind<unknown>;
  about: About;
  /** Its value if it is not set; `null`: it is required. */
  fallback: { value: T } | null;
  /** What applies if it is not set, in words. */
  without: string;
}

/** Settings by the name that the code has for them, in groups if need be. */
export interface Table {
  [key: string]: Setting<unknown> | Table;
}

/** The values of a table, in its shape. */
export type Values<T> = { [K in keyof T]: T[K] extends Setting<infer V> ? V : Values<T[K]> };

/** Makes a setting: with a default, with words for what applies without it, or else required. */
export function setting<T>(
  name: string,
  kind: Kind<T>,
  about: About & { default: NoInfer<T>; without?: string },
): Setting<T>;
export function setting<T>(
  name: string,
  kind: Kind<T>,
  about: About & { without: string; default?: never },
): Setting<T | undefined>;
export function setting<T>(
  name: string,
  kind: Kind<T>,
  about: About & { default?: never; without?: never },
): Setting<T>;
export function setting<T>(
  name: string,
  kind: Kind<T>,
  { default: value, without, ...about }: About & { default?: T; without?: string },
): Setting<T | undefined> {
  const isRequired = value === undefined && without === undefined;
  return { name, kind, about, fallback: isRequired ? null : { value }, without: without ?? toWords(value) };
}

/** Returns how a default is written in the environment. */
function toWords(value: unknown): string {
  if (value === undefined) return 'required';
  if (typeof value === 'boolean') return value ? '`1`' : '`0`';
  const written = Array.isArray(value) ? value.join(',') : `${value as string | number}`;
  return written === '' ? 'none' : `\`${written}\``;
}

/** Returns whether an entry of a table is a setting, and no group. */
export function isSetting(entry: Setting<unknown> | Table): entry is Setting<unknown> {
  return typeof entry.name === 'string';
}

/** Returns all settings of a table, in its order. */
export function listSettings(table: Table): Setting<unknown>[] {
  return Object.values(table).flatMap((entry) => (isSetting(entry) ? [entry] : listSettings(entry)));
}

/** Returns the names of the settings that may stand in files. */
export function listSecrets(table: Table): string[] {
  return listSettings(table)
    .filter(({ about }) => about.isSecret)
    .map(({ name }) => name);
}

/** Any text. @param words describes which texts make sense. */
export const text = (words: string, least = 0): Kind<string> => z.string().min(least).describe(words);

export const flag: Kind<boolean> = z
  .enum(['0', '1', 'true', 'false'])
  .transform((value) => value === '1' || value === 'true')
  .describe('0 or 1');

export const integer = (min: number, max: number): Kind<number> =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`)
    .describe(`${min} to ${max}`);

export const oneOf = <const T extends string>(values: readonly T[]): Kind<T> =>
  z.enum(values, `must be one of: ${values.join(', ')}`).describe(values.join(', '));

/** An http or https URL, as it is given: an issuer is compared letter by letter. */
export const exactUrl: Kind<string> = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .describe('an http or https URL');

/** An http or https URL, without the slash at its end. */
export const httpUrl: Kind<string> = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .transform((value) => value.replace(/\/$/, ''))
  .describe('an http or https URL');

/** Returns the items of a text with commas. */
export const splitList = (value: string): string[] => value.split(',').map((item) => item.trim());
