import { wrongUse } from '../exits.ts';

/** The answers of earlier requests, by the names of these. */
export type Answers = Record<string, unknown>;

const reference = /\{([\w-]+(?:\.[\w-]+)+)\}/g;

/**
 * Returns the value with its references filled in: `{charge.id}` is the member `id` of what `charge` answered. A text
 * that is one reference alone becomes the value itself, so that numbers stay numbers.
 *
 * @throws {CliError} where a reference names nothing
 */
export function fill<Value>(value: Value, answers: Answers): Value {
  if (typeof value === 'string') return fillText(value, answers) as Value;
  if (Array.isArray(value)) return value.map((item) => fill(item as unknown, answers)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(
    ([name, member]) => [name, fill(member as unknown, answers)] as const,
  );
  return Object.fromEntries(members) as Value;
}

function fillText(text: string, answers: Answers): unknown {
  const alone = /^\{([\w-]+(?:\.[\w-]+)+)\}$/.exec(text);
  if (alone) return look(alone[1] ?? '', answers);
  return text.replaceAll(reference, (_match, path: string) => String(look(path, answers)));
}

/** Returns what lies at the path. @throws {CliError} if nothing does */
export function look(path: string, answers: Answers): unknown {
  let value: unknown = answers;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name];
  if (value !== undefined && value !== null) return value;
  const [first = ''] = path.split('.');
  const known = Object.keys(answers).join(', ') || 'none';
  throw wrongUse(
    first in answers
      ? `{${path}} names nothing: the answer of ${first} has no such member`
      : `{${path}} names nothing: there is no earlier request ${first}. Earlier requests: ${known}`,
  );
}
