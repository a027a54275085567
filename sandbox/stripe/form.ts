import { z } from 'zod';
import { invalidRequest, type StripeRefusal } from './errors.ts';

export interface FormTree {
  [name: string]: string | FormTree | string[];
}

const maxPairs = 500;
const maxDepth = 4;

/** Splits `a[b][]` into `a`, `b` and an empty name. */
function splitName(name: string): string[] {
  const open = name.indexOf('[');
  if (open === -1) return [name];
  return [
    name.slice(0, open),
    ...name
      .slice(open + 1)
      .replaceAll(']', '')
      .split('['),
  ];
}

const isIndex = (name: string) => name === '' || /^\d{1,3}$/.test(name);

function place(tree: FormTree, path: string[], value: string): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    tree[name] = value;
    return;
  }
  const known = tree[name];
  if (rest.length === 1 && isIndex(rest[0]!)) {
    tree[name] = [...(Array.isArray(known) ? known : []), value];
    return;
  }
  const branch = typeof known === 'object' && !Array.isArray(known) ? known : emptyTree();
  tree[name] = branch;
  place(branch, rest, value);
}

/** Without a prototype, so that no name means anything but itself. */
const emptyTree = () => Object.create(null) as FormTree;

/** Reads `a=1&b[c]=2&d[]=3` into `{a: '1', b: {c: '2'}, d: ['3']}`. @throws {StripeRefusal} */
export function readForm(text: string): FormTree {
  const tree = emptyTree();
  const pairs = [...new URLSearchParams(text)];
  if (pairs.length > maxPairs) throw invalidRequest('Too many parameters.');
  for (const [name, value] of pairs) {
    const path = splitName(name);
    if (path.length > maxDepth || path[0] === '') throw invalidRequest(`Invalid parameter name: ${name}`);
    place(tree, path, value);
  }
  return tree;
}

/** Copies it with prototypes, as zod wants its objects. */
function plain(tree: FormTree): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(tree).map(([name, value]) => [
      name,
      typeof value === 'string' || Array.isArray(value) ? value : plain(value),
    ]),
  );
}

const invalidInteger = 'parameter_invalid_integer';
const missing = 'parameter_missing';

export const integer = z
  .string({ error: ({ input }) => (input === undefined ? missing : invalidInteger) })
  .regex(/^-?\d{1,15}$/, invalidInteger)
  .transform(Number);
export const boolean = z.enum(['true', 'false']).transform((value) => value === 'true');
export const text = z.string().min(1, 'parameter_invalid_empty').max(5000);
export const id = text.max(255);
/** Up to 50 names of 40 characters without brackets, and values of 500. */
export const metadata = z
  .record(z.string().min(1).max(40), z.string().max(500))
  .refine((value) => Object.keys(value).length <= 50, 'metadata_too_many');
export const expand = z.array(z.string().max(200)).max(20).optional();

function nameParam(path: readonly PropertyKey[]): string {
  const [first = '', ...rest] = path.map(String);
  return first + rest.map((name) => `[${name}]`).join('');
}

/** Says the first thing that is wrong, as Stripe does. */
function toRefusal(error: z.ZodError): StripeRefusal {
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const param = nameParam([...issue.path, issue.keys[0] ?? '']);
    return invalidRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  }
  const param = nameParam(issue?.path ?? []);
  if (issue?.message === missing) {
    return invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  }
  if (issue?.message.startsWith('parameter_')) {
    return invalidRequest(`Invalid value for ${param}.`, { code: issue.message, param });
  }
  return invalidRequest(`Invalid ${param}: ${issue?.message}`, { param });
}

/** @throws {StripeRefusal} 400, which is kept under no key. */
export function parseParams<Schema extends z.ZodType>(schema: Schema, tree: FormTree): z.output<Schema> {
  const parsed = schema.safeParse(plain(tree), {
    error: ({ code, input }) => (code === 'invalid_type' && input === undefined ? missing : undefined),
  });
  if (!parsed.success) throw toRefusal(parsed.error);
  return parsed.data;
}
