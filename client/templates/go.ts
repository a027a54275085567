import { capitalize, pascal, wrap, type Method, type Resource } from './methods.ts';

/** The resources of the client for Go. The operations (`opCreateCharge`) are in `api.gen.go`, with the types. */

const head = '// Code generated from openapi.json by npm run openapi. DO NOT EDIT.\n\npackage payments\n';
const width = 118;

/** Returns the file with all resources. */
export function writeResources(resources: Resource[]): string {
  const names = resources.map(({ name }) => pascal(name));
  const longest = Math.max(...names.map((name) => name.length));
  const fields = names.map((name) => `\t${name.padEnd(longest)} *${name}`);
  const values = names.map((name) => `\t\t${`${name}:`.padEnd(longest + 1)} &${name}{c},`);
  return `${head}
import (
	"context"
	"io"
	"iter"
)

// Resources are the resources of the API: a method for each operation of its document.
type Resources struct {
${fields.join('\n')}
}

func newResources(c *Client) Resources {
	return Resources{
${values.join('\n')}
	}
}

${resources.map(writeType).join('\n')}`;
}

function writeType({ name, about, methods }: Resource): string {
  const type = pascal(name);
  const code = methods.map((method) => writeMethod(type, method));
  return `// ${type}: ${lower(about)}\ntype ${type} struct{ c *Client }\n\n${code.join('\n')}`;
}

function writeMethod(type: string, method: Method): string {
  const { answers, schema } = method;
  const results = {
    one: `(*${schema}, error)`,
    list: `iter.Seq2[${schema}, error]`,
    file: '(int64, error)',
    nothing: 'error',
  };
  const start = `func (r *${type}) ${pascal(method.name)}(`;
  const args = ['ctx context.Context', ...writeArguments(method), 'options ...CallOption'].join(', ');
  const end = `) ${results[answers]} {`;
  const whole = `${start}${args}${end}`;
  const code = whole.length <= width ? whole : `${start}\n\t${args},\n${end}`;
  return `${comment(method)}${code}\n${writeBody(method)}}\n`;
}

function writeArguments({ operationId, argument, body, answers, takesQuery }: Method): string[] {
  return [
    argument === null ? '' : `${argumentName(argument)} string`,
    answers === 'file' ? 'to io.Writer' : '',
    takesQuery ? `params ${capitalize(operationId)}Params` : '',
    body && !body.isEmpty ? `body ${body.schema}` : '',
  ].filter(Boolean);
}

const argumentName = (name: string) => name.replace('_id', 'ID');

function writeBody({ operationId, argument, body, answers, schema, takesQuery }: Method): string {
  const op = `op${capitalize(operationId)}`;
  const id = argument === null ? '""' : argumentName(argument);
  const given = !body ? 'nil' : body.isEmpty ? 'EmptyBody{}' : 'body';
  if (answers === 'file')
    return `\treturn r.c.download(ctx, ${op.replace(/Result$/, '')}, ${id}, to, options)\n`;
  if (answers === 'list') return `\treturn list[${schema}](ctx, r.c, ${op}, ${id}, params, options)\n`;
  if (answers === 'nothing')
    return `\t_, err := send[struct{}](ctx, r.c, ${op}, ${id}, nil, ${given}, options)\n\treturn err\n`;
  const query = takesQuery ? 'toQuery(params)' : 'nil';
  return `\treturn send[${schema}](ctx, r.c, ${op}, ${id}, ${query}, ${given}, options)\n`;
}

function comment(method: Method): string {
  const { name, httpMethod, answers, summary, description } = method;
  if (answers === 'file')
    return toComment(
      `${pascal(name)} writes the file, and goes on where a connection is cut. A *DownloadError says that it has ` +
        'another SHA-256 than it should.',
    );
  const text = [
    summary,
    description,
    method.body?.choice
      ? `Make the body with ${method.body.schema}.From${method.body.choice} and its like.`
      : '',
    httpMethod === 'PATCH' ? 'WithNull removes members.' : '',
    method.needsTag ? 'It needs WithIfMatch: the ETag as it was read, or "*" for any.' : '',
    method.showsTag ? 'WithAnswer keeps its ETag, which a change needs.' : '',
    answers === 'nothing' ? 'It is no error if an earlier attempt, whose answer was lost, has done it.' : '',
    method.beginsWork ? 'Operations.Wait waits for it.' : '',
    method.canBeDeclined
      ? 'A *CardDeclinedError says that the card was declined; its Charge names the failed charge.'
      : '',
  ];
  const whole = text.filter(Boolean).join(' ');
  // A comment begins with the name that it is of.
  const isNamed = summary.startsWith(`${pascal(name)} `);
  return toComment(isNamed ? whole : `${pascal(name)}: ${lower(whole)}`);
}

const toComment = (text: string) =>
  wrap(text, width - 3)
    .map((line) => `// ${line}\n`)
    .join('');

const lower = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Returns the file with the version of the types. */
export const writeVersion = (version: string) =>
  `${head}\n// apiVersion is the version of the types of this package.\nconst apiVersion = "${version}"\n`;
