import { apiVersions, isApiVersion } from '#domain/versions/versions.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import { scopes as everyScope, type AccountScope } from '#domain/scopes.ts';
import { UsageError, type Input } from './command.ts';

/** The values of options. Each reader returns `undefined` if the option is missing. */

const units: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The longest duration of any setting. */
const maxDays = 366;

/** Reads a duration such as `90s`, `10m`, `24h` or `7d`, in milliseconds. */
export function duration(input: Input, name: string): number | undefined {
  const text = readOption(input, name);
  if (text === undefined) return undefined;
  const ms = toMs(text);
  if (ms !== null) return ms;
  throw wrong(name, text, `a duration such as 90s, 10m, 24h or 7d, of at most ${maxDays}d`);
}

function toMs(text: string): number | null {
  const [, count = '', unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  const ms = Number(count) * (units[unit] ?? Number.NaN);
  return ms >= 0 && ms <= maxDays * 86_400_000 ? ms : null;
}

/** The limit of the schema. */
const maxDurations = 50;

/** Reads durations split by spaces or commas, in milliseconds; `null` for `default`. */
export function durationsOrDefault(input: Input, name: string): number[] | null | undefined {
  const text = readOption(input, name);
  if (text === undefined || text === 'default') return text === undefined ? undefined : null;
  const all = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(toMs);
  const valid = all.filter((ms) => ms !== null);
  if (valid.length === all.length && valid.length > 0 && valid.length <= maxDurations) return valid;
  throw wrong(name, text, `1 to ${maxDurations} durations such as "0s 5s 5m 1h", or \`default\``);
}

/** Reads a whole number above 0; `null` for `default`. */
export function countOrDefault(input: Input, name: string): number | null | undefined {
  const text = readOption(input, name);
  if (text === undefined || text === 'default') return text === undefined ? undefined : null;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw wrong(name, text, 'a whole number above 0, or `default`');
}

/** Reads one of the choices; `null` for `default`. */
export function choiceOrDefault<Choice extends string>(
  input: Input,
  name: string,
  choices: readonly Choice[],
): Choice | null | undefined {
  const text = readOption(input, name);
  if (text === undefined || text === 'default') return text === undefined ? undefined : null;
  const chosen = choices.find((choice) => choice === text);
  if (chosen !== undefined) return chosen;
  throw wrong(name, text, `${choices.map((choice) => `\`${choice}\``).join(', ')} or \`default\``);
}

export function onOrOff(input: Input, name: string): boolean | undefined {
  const text = readOption(input, name);
  if (text === undefined) return undefined;
  if (text === 'on' || text === 'off') return text === 'on';
  throw wrong(name, text, '`on` or `off`');
}

export function version(input: Input, name: string): ApiVersion | undefined {
  const text = readOption(input, name);
  if (text === undefined || isApiVersion(text)) return text;
  throw wrong(name, text, apiVersions.join(' or '));
}

/** Reads `all`, `read`, `write`, or names split by spaces or commas. The scopes of operators are not among them. */
export function scopes(input: Input, name: string): AccountScope[] | undefined {
  const text = readOption(input, name);
  if (text === undefined) return undefined;
  if (text === 'all') return [...everyScope];
  if (text === 'read' || text === 'write') return everyScope.filter((scope) => scope.endsWith(`:${text}`));
  const wanted = text.split(/[\s,]+/).filter(Boolean);
  const known = everyScope.filter((scope) => wanted.includes(scope));
  if (wanted.length > 0 && known.length === new Set(wanted).size) return known;
  throw wrong(name, text, `\`all\`, \`read\`, \`write\`, or some of: ${everyScope.join(' ')}`);
}

export function text(input: Input, name: string): string | undefined {
  const value = readOption(input, name);
  if (value === undefined || value.trim() !== '') return value;
  throw wrong(name, value, 'some text');
}

/** Returns the values whose options were given. */
export function given<Values extends object>(read: Values): Given<Values> {
  const entries = Object.entries(read).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Given<Values>;
}

type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** @throws {UsageError} if no option was given. */
export function requireSome(changes: object): void {
  if (Object.keys(changes).length > 0) return;
  throw new UsageError('Name a setting to change; --help lists them.');
}

function readOption({ options }: Input, name: string): string | undefined {
  const value = options[name];
  return value === true ? undefined : value;
}

function wrong(name: string, value: string, expected: string): UsageError {
  return new UsageError(`--${name} cannot be "${value}": it is ${expected}.`);
}
