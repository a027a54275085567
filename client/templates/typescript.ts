import type { Document } from '../cli/operations/document.ts';
import { camel, pascal, wrap, type Method, type Resource } from './methods.ts';
import { withEmptyBody, withoutTypeScript } from './resources.ts';

/** The resources of the client for TypeScript. Prettier breaks the lines of the code. */

const head = '// Made from openapi.json by `npm run openapi`.\n';

/** The imports of modules, each if it is used. */
const imports = [
  ['../caller.ts', 'Resource'],
  ['../calls.ts', 'type CallOptions', 'type CallPromise', 'type ConditionalOptions'],
  ['../document.ts', 'type Query', 'type Schemas'],
  ['../downloads.ts', 'type Download'],
  ['../lists.ts', 'toList', 'type List'],
  ['../waiting.ts', 'openResult', 'WaitingResource'],
] as const;

/** Returns a module with classes. */
export function writeModule(resources: Resource[]): string {
  const classes = resources.map(writeClass).join('\n');
  const words = new Set(classes.match(/\w+/g));
  const lines = imports.map(([from, ...names]) => {
    const used = names.filter((name) => words.has(name.replace('type ', '')));
    return used.length > 0 ? `${writeImport(used)} from '${from}';\n` : '';
  });
  return `${head}${lines.join('')}\n${classes}`;
}

function writeImport(names: string[]): string {
  const areTypes = names.every((name) => name.startsWith('type '));
  return areTypes
    ? `import type { ${names.join(', ').replaceAll('type ', '')} }`
    : `import { ${names.join(', ')} }`;
}

function writeClass({ name, about, methods }: Resource): string {
  const base = name === 'operations' ? 'WaitingResource' : 'Resource';
  const code = methods.filter(({ operationId }) => !withoutTypeScript.has(operationId)).map(writeMethod);
  return `/** ${about} */\nexport class ${pascal(name)} extends ${base} {\n${code.join('\n')}}\n`;
}

function writeMethod(method: Method): string {
  const { answers, schema } = method;
  const types = {
    one: `CallPromise<Schemas['${schema}']>`,
    list: `List<Schemas['${schema}']>`,
    file: 'Promise<Download>',
    nothing: 'CallPromise<void>',
  };
  const head = `${camel(method.name)}(${writeArguments(method).join(', ')}): ${types[answers]}`;
  return `${comment(method)}${head} {\n return ${writeCall(method)};\n}\n`;
}

function writeArguments(method: Method): string[] {
  const { operationId, argument, body, answers, takesQuery, needsTag } = method;
  if (answers === 'file') return [`operation: Schemas['Operation'] | string`, 'options: CallOptions = {}'];
  const query =
    answers === 'list' ? `query?: Query<'${operationId}'>` : `query: Query<'${operationId}'> = {}`;
  return [
    argument === null ? '' : `${camel(argument)}: string`,
    takesQuery ? query : '',
    body && takesBody(method) ? `params: Schemas['${body.schema}']${body.isRequired ? '' : ' = {}'}` : '',
    needsTag ? 'options: ConditionalOptions' : 'options?: CallOptions',
  ].filter(Boolean);
}

const takesBody = ({ operationId, body }: Method) =>
  body !== null && (!body.isEmpty || withEmptyBody.has(operationId));

function writeCall(method: Method): string {
  const { httpMethod, path, argument, parameter, answers, takesQuery } = method;
  if (answers === 'file') return 'openResult(this.caller, operation, (id) => this.get(id, options), options)';
  const isList = answers === 'list';
  const given = parameter === camel(argument ?? '') ? parameter : `${parameter}: ${camel(argument ?? '')}`;
  const input = [
    argument === null ? '' : `params: { ${given} }`,
    takesQuery ? (isList ? 'query: page' : 'query') : '',
    takesBody(method) ? 'body: params' : '',
  ].filter(Boolean);
  const send = (options: string) =>
    `this.caller.send('${httpMethod.toLowerCase()}', '${path}', { ${input.join(', ')} }, ${options})`;
  return isList ? `toList(query, options, (page, each) => ${send('each')})` : send('options');
}

function comment(method: Method): string {
  const { answers, summary, description, showsTag, beginsWork, canBeDeclined } = method;
  const isFile = answers === 'file';
  const text = [
    isFile ? 'Open the file. Reading goes on where a connection was cut, and compares the SHA-256.' : summary,
    isFile ? '' : description,
    showsTag ? '`answer()` has the `etag` that a change needs as `ifMatch`.' : '',
    beginsWork ? '`operations.wait` waits for it.' : '',
  ];
  const throws = [
    canBeDeclined ? '@throws {CardDeclinedError} if the card is declined.' : '',
    isFile ? '@throws {DownloadError} if there is none.' : '',
  ];
  const whole = [text, throws].map((part) => part.filter(Boolean).join(' ')).filter(Boolean);
  const lines = whole.flatMap((part, at) => [...(at > 0 ? [''] : []), ...wrap(part, 104)]);
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** Returns the module of the class that has them all. */
export function writeAll(modules: string[], resources: Resource[]): string {
  const names = (module: string) =>
    resources.filter((resource) => resource.module === module).map(({ name }) => pascal(name));
  return `${head}import type { Caller } from '../caller.ts';
${modules.map((module) => `import { ${names(module).join(', ')} } from './${module}.ts';`).join('\n')}

/** The resources of the API: a method for each operation of its document. */
export class Resources {
${resources.map(({ name }) => `readonly ${camel(name)}: ${pascal(name)};`).join('\n')}

constructor(caller: Caller) {
${resources.map(({ name }) => `this.${camel(name)} = new ${pascal(name)}(caller);`).join('\n')}
}
}
`;
}

/** Returns the module with the types of bodies and answers by name. */
export function writeTypes(resources: Resource[], schemas: Document['components']['schemas']): string {
  const methods = resources.flatMap((resource) => resource.methods);
  const names = new Set(methods.flatMap(({ schema, body }) => [schema, body?.schema ?? '']));
  const types = [...names]
    .filter(Boolean)
    .toSorted()
    .map((name) => {
      const about = schemas[name]?.description?.replace(/\.?$/, '.');
      return `${about === undefined ? '' : `/** ${about} */\n`}export type ${name} = Schemas['${name}'];`;
    });
  return `${head}import type { Schemas } from '../document.ts';\n\n${types.join('\n')}\n`;
}

/** Returns the module with the version of the types. */
export const writeVersion = (version: string) =>
  `${head}/** The version of the API that the types of this package are of. */\nexport const apiVersion = '${version}';\n`;
