import { invalidRequest } from './errors.ts';
import { present } from './present.ts';
import type { Reader } from './state.ts';

const maxDepth = 4;
type Members = Record<string, unknown>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

function expandMember(reader: Reader, object: Members, path: string[], whole: string): void {
  const [name = '', ...rest] = path;
  if (!Object.hasOwn(object, name)) {
    throw invalidRequest(`This property cannot be expanded (${whole}).`, { param: 'expand' });
  }
  const value = object[name];
  const record = typeof value === 'string' ? reader.get(value) : undefined;
  if (record) object[name] = present(reader, record);
  expandIn(reader, object[name], rest, whole);
}

function expandIn(reader: Reader, value: unknown, path: string[], whole: string): void {
  if (path.length === 0) return;
  if (Array.isArray(value)) value.forEach((one) => expandIn(reader, one, path, whole));
  else if (isObject(value)) expandMember(reader, value, path, whole);
}

/** Puts objects in place of their ids. @throws {StripeRefusal} */
export function expandObjects(reader: Reader, body: object, paths: string[] = []): object {
  const copy = structuredClone(body);
  for (const whole of paths) {
    const path = whole.split('.');
    if (path.length > maxDepth)
      throw invalidRequest('You cannot expand more than 4 levels.', { param: 'expand' });
    expandIn(reader, copy, path, whole);
  }
  return copy;
}
