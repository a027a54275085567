import { listOperations, type Document, type Operation, type Schema } from '../cli/operations/document.ts';
import { nameCommand } from '../cli/operations/names.ts';
import { abouts, modules, places } from './resources.ts';

/** Reads from the document what the templates of all languages need. Names are as in paths: `rotate-secret`. */

export interface Resource {
  /** `webhook-endpoints` */
  name: string;
  /** The file that it is in, for TypeScript and Python. */
  module: string;
  about: string;
  methods: Method[];
}

/** A method of a client: one operation of the document. */
export interface Method {
  operationId: string;
  httpMethod: string;
  path: string;
  name: string;
  /** The parameter of the path, such as `trace_id`; `null` if there is none. */
  argument: string | null;
  /** The name that the argument has in the path. */
  parameter: string | null;
  body: Body | null;
  answers: 'one' | 'list' | 'file' | 'nothing';
  /** The schema of the answer, or of an item of the list; `''` for a file or nothing. */
  schema: string;
  takesQuery: boolean;
  /** Whether it must be sent with `If-Match`. */
  needsTag: boolean;
  /** Whether it reads what another method changes with `If-Match`. */
  showsTag: boolean;
  /** Whether it begins work that `operations.wait` waits for. */
  beginsWork: boolean;
  canBeDeclined: boolean;
  /** Its purpose, in one line. */
  summary: string;
  /** More of it; `''` if the summary says all. */
  description: string;
}

interface Body {
  schema: string;
  isEmpty: boolean;
  isRequired: boolean;
  /** Of a union: the first schema of it; `null` for any other body. */
  choice: string | null;
}

interface Answer {
  content?: Record<string, { schema: Schema }>;
}

type Answers = Record<string, Answer>;

/**
 * Returns the resources with their methods.
 *
 * @throws {Error} if nothing says what a resource is, or an operation that no template can write.
 */
export function readResources(document: Document): Resource[] {
  const operations = listOperations(document).filter(({ path }) => path.startsWith('/v1/'));
  const tagged = new Set(operations.filter(needsTag).map(({ path }) => path));
  const homes = operations.map(
    ({ id, method, path }) => places[id]?.resource ?? nameCommand(method, path).resource,
  );
  const files = new Map(
    Object.entries(modules).flatMap(([module, { resources }]) => resources.map((name) => [name, module])),
  );
  for (const name of homes) if (!files.has(name)) files.set(name, name);
  return [...files].map(([name, module]) => {
    const own = operations.filter((_, at) => homes[at] === name);
    const methods = own.map((operation) => toMethod(document, operation, tagged));
    requireNames(name, methods);
    return { name, module, about: findAbout(document, name, methods), methods };
  });
}

/** Returns what a resource is: by our own words, by its tag, or by its schema. */
function findAbout({ tags, components }: Document, name: string, methods: readonly Method[]): string {
  const schema = methods.find(({ answers }) => answers === 'one')?.schema ?? '';
  const about =
    abouts[name] ??
    tags.find((tag) => tag.name === name)?.description ??
    components.schemas[schema]?.description;
  if (!about) throw new Error(`Say what ${name} are: as the description of their schema`);
  return about.replace(/\.?$/, '.');
}

const needsTag = ({ parameters }: Operation) =>
  parameters.some(({ name, required }) => name === 'If-Match' && required);

function requireNames(resource: string, methods: Method[]): void {
  const names = methods.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new Error(`Say in client/templates/resources.ts which ${resource} ${twice} is`);
}

function toMethod(document: Document, operation: Operation, tagged: ReadonlySet<string>): Method {
  const { id, method, path, parameters } = operation;
  const { verb, arguments: names } = nameCommand(method, path);
  const answers = findAnswers(document, operation);
  const kind = findKind(operation, answers);
  const schema = kind === 'one' || kind === 'list' ? findSchema(document, operation, answers) : '';
  const body = findBody(document, operation);
  const takesQuery = kind !== 'file' && parameters.some((parameter) => parameter.in === 'query');
  if (names.length > 1 || (takesQuery && body)) throw new Error(`No template can write ${id}`);
  return {
    operationId: id,
    httpMethod: method,
    path,
    name: places[id]?.name ?? (kind === 'file' ? nameFile(path) : verb),
    argument: places[id]?.argument ?? names[0] ?? null,
    parameter: names[0] ?? null,
    body,
    answers: kind,
    schema,
    takesQuery,
    needsTag: needsTag(operation),
    showsTag: method === 'GET' && tagged.has(path),
    beginsWork: method === 'POST' && '202' in answers && schema.endsWith('Operation'),
    canBeDeclined: '402' in answers,
    summary: `${operation.summary}.`,
    description: describe(operation),
  };
}

/** Returns the first paragraph. Of a list it leaves out what is about pages: callers do not see those. */
function describe({ description, isList }: Operation): string {
  const [first = ''] = description.split('\n\n');
  const text = first.replace(/:$/, '.');
  if (!isList) return text;
  const sentences = text.replace('Returns a page of', 'Returns').split(/(?<=\.) (?=[A-Z`])/);
  return sentences
    .filter((sentence) => !/\bpage\b|^Filters that no index|^Returns \w+\.$/.test(sentence))
    .join(' ');
}

function findAnswers(document: Document, { path, method }: Operation): Answers {
  const found = document.paths[path]?.[method.toLowerCase()] as { responses: Answers } | undefined;
  return found?.responses ?? {};
}

function findKind({ isFile, isList }: Operation, answers: Answers): Method['answers'] {
  if (isFile) return 'file';
  if (isList) return 'list';
  return '204' in answers ? 'nothing' : 'one';
}

/** The result of any operation is under `operations`; the resources of one type download theirs. */
const nameFile = (path: string) => (path.startsWith('/v1/operations/') ? 'result' : 'download');

function findSchema(document: Document, { id, isList }: Operation, answers: Answers): string {
  const [, success] = Object.entries(answers).find(([status]) => status.startsWith('2')) ?? [];
  const schema = nameSchema(id, success?.content?.['application/json']?.schema);
  if (!isList) return schema;
  return nameSchema(id, document.components.schemas[schema]?.properties?.['data']?.items);
}

function findBody(document: Document, { id, method, body }: Operation): Body | null {
  if (!body) return null;
  const schema = nameSchema(id, body.schema);
  const [choice] = document.components.schemas[schema]?.oneOf ?? [];
  return {
    schema,
    isEmpty: schema === 'EmptyBody',
    // A change of nothing is no use: whoever patches has a body.
    isRequired: body.isRequired || method !== 'POST',
    choice: choice ? nameSchema(id, choice) : null,
  };
}

function nameSchema(operationId: string, schema: Schema | undefined): string {
  if (schema?.$ref === undefined) throw new Error(`Give the schemas of ${operationId} names`);
  return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
}

export const camel = (name: string) =>
  name.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
export const pascal = (name: string) => capitalize(camel(name));
export const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Breaks a text into lines of this length. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
