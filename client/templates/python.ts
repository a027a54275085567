import { pascal, wrap, type Method, type Resource } from './methods.ts';

/** The resources of the client for Python. */

const head = '# Made from openapi.json by `npm run openapi`.\n';
const width = 120;

/** The two clients: one blocks, and the other is awaited. Their modules and classes differ in these words. */
export interface Style {
  /** Before the names of modules. */
  module: '' | 'async_';
  /** Before the names of classes. */
  type: '' | 'Async';
  definition: 'def' | 'async def';
  call: 'self._call' | 'await self._call';
}

export const styles: readonly Style[] = [
  { module: '', type: '', definition: 'def', call: 'self._call' },
  { module: 'async_', type: 'Async', definition: 'async def', call: 'await self._call' },
];

/** Returns a module with classes. */
export function writeModule(about: string, resources: Resource[], style: Style): string {
  const { type } = style;
  const classes = resources.map((resource) => writeClass(resource, style)).join('\n\n');
  const imports = [
    [/Iterator\b/, `from collections.abc import ${type}Iterator`],
    [/\bcast\b/, 'from typing import cast\n'],
    [/./, 'from typing_extensions import Unpack\n'],
    [/./, 'from .. import types\nfrom .._options import CallOptions'],
    [/Pages\b/, `from .._pages import ${type}Pages`],
    [/\((Async)?Resource\)/, `from ._resource import ${type}Resource`],
    [/\b_download\b/, `from ._work import ${type}ResultResource, ${type}WaitingResource`],
  ] as const;
  const used = imports.filter(([uses]) => uses.test(classes)).map(([, line]) => line);
  return `${head}"""${about}"""\n\nfrom __future__ import annotations\n\n${used.join('\n')}\n\n\n${classes}`;
}

function writeClass({ name, about, methods }: Resource, style: Style): string {
  const hasFile = methods.some(({ answers }) => answers === 'file');
  const base = name === 'operations' ? 'WaitingResource' : hasFile ? 'ResultResource' : 'Resource';
  const code = methods.map((method) => writeMethod(method, style));
  return `class ${style.type}${pascal(name)}(${style.type}${base}):\n    """${about}"""\n\n${code.join('\n')}`;
}

function writeMethod(method: Method, style: Style): string {
  const { name, answers, schema } = method;
  const type = {
    one: `types.${schema}`,
    list: `${style.type}Pages[types.${schema}]`,
    file: `${style.type}Iterator[bytes]`,
    nothing: 'None',
  }[answers];
  // Lists and files are iterated, not awaited.
  const definition = answers === 'list' || answers === 'file' ? 'def' : style.definition;
  const lines = [
    ...writeHead(
      `${definition} ${snake(name)}`,
      ['self', ...writeArguments(method), '**options: Unpack[CallOptions]'],
      type,
    ),
    ...writeDocstring(method),
    ...writeBody(method, style).map((line) => `    ${line}`),
  ];
  return lines.map((line) => `${line === '' ? '' : `    ${line}`}\n`).join('');
}

export const snake = (name: string) => name.replaceAll('-', '_');

/** Returns the line that begins a method, or more lines if it is too long. */
function writeHead(name: string, args: string[], type: string): string[] {
  const whole = `${name}(${args.join(', ')}) -> ${type}:`;
  if (whole.length <= width - 4) return [whole];
  const inner = `    ${args.join(', ')}`;
  const broken = inner.length <= width - 4 ? [inner] : args.map((arg) => `    ${arg},`);
  return [`${name}(`, ...broken, `) -> ${type}:`];
}

function writeArguments({ operationId, argument, body, takesQuery }: Method): string[] {
  const query = `types.${pascal(operationId)}ParametersQuery | None = None`;
  return [
    argument === null ? '' : `${argument}: str`,
    takesQuery ? `query: ${query}` : '',
    body && !body.isEmpty ? `body: types.${body.schema}${body.isRequired ? '' : ' | None = None'}` : '',
  ].filter(Boolean);
}

function writeDocstring(method: Method): string[] {
  const isFile = method.answers === 'file';
  const summary = isFile ? 'The parts of the file.' : method.summary;
  const more = [
    isFile
      ? 'Reading goes on where a connection was cut. Raises `DownloadError` at its end if the SHA-256 is another.'
      : '',
    isFile ? '' : method.description,
    method.needsTag ? 'Needs `if_match`: the `ETag` as it was read, or `*` for any.' : '',
    method.showsTag ? '`on_answer` gets its `ETag`, which a change needs as `if_match`.' : '',
    method.answers === 'nothing'
      ? 'No error if an earlier attempt of this call, whose answer was lost, has done it.'
      : '',
    method.beginsWork ? '`operations.wait` waits for it.' : '',
    method.canBeDeclined
      ? 'Raises `CardDeclinedError` if the card was declined; its `charge` names the failed charge.'
      : '',
  ].filter(Boolean);
  const lines = [summary, ...(more.length > 0 ? ['', ...wrap(more.join(' '), width - 8)] : [])];
  if (lines.length === 1) return [`    """${summary}"""`];
  return [
    `    """${lines[0]}`,
    ...lines.slice(1).map((line) => (line === '' ? '' : `    ${line}`)),
    '    """',
  ];
}

function writeBody(method: Method, style: Style): string[] {
  const { httpMethod, path, argument, body, answers, schema, takesQuery } = method;
  if (answers === 'file') return [`return self._download(self.get(${argument}, **options), **options)`];
  const given = body && (body.isEmpty ? '{}' : body.isRequired ? 'body' : 'body or {}');
  const options = [takesQuery ? 'query=query' : '', given ? `body=${given}` : '', '**options'].filter(
    Boolean,
  );
  const id = argument ?? 'None';
  if (answers === 'list') return [`return self._list("${path}", ${id}, query, **options)`];
  const call = `${style.call}("${httpMethod}", "${path}", ${[id, ...options].join(', ')})`;
  if (answers === 'nothing') return [call];
  const whole = `return cast(types.${schema}, ${call})`;
  return whole.length <= width - 8 ? [whole] : [`answer = ${call}`, `return cast(types.${schema}, answer)`];
}

/** Returns the module of the class that has them all. */
export function writeAll(modules: string[], resources: Resource[], { module: prefix, type }: Style): string {
  const fields = resources.map(
    ({ name, module }) =>
      `        self.${snake(name)} = ${prefix}${snake(module)}.${type}${pascal(name)}(sender)`,
  );
  return `${head}"""The resources of a client."""

from __future__ import annotations

from .._sender import Sender
from . import ${modules
    .map((module) => `${prefix}${snake(module)}`)
    .toSorted()
    .join(', ')}


class ${type}Resources:
    """The resources of the API: a method for each operation of its document."""

    def __init__(self, sender: Sender) -> None:
${fields.join('\n')}
`;
}

/** Returns the module with the version of the types. */
export const writeVersion = (version: string) =>
  `${head}"""The version of the API that the types of this package are of."""\n\nAPI_VERSION = "${version}"\n`;
