import { describeCall, type ClientCall } from './client-calls.ts';
import type { OpenApiDocument } from './open-api.ts';

/** Samples of each operation for `curl` and for the clients, made from its parameters and the example of its body. */

/** As readers of OpenAPI documents know it. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** Adds `x-codeSamples` to each operation of the document. In the samples, `client` is a client with its settings. */
export function addCodeSamples(document: OpenApiDocument): OpenApiDocument {
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item))
      operation['x-codeSamples'] = writeSamples(describeCall(document, method, path, operation));
  return document;
}

function writeSamples(call: ClientCall): CodeSample[] {
  const curl = { lang: 'Shell', label: 'curl', source: writeCurl(call) };
  if (call.resource === null) return [curl];
  return [
    curl,
    { lang: 'TypeScript', label: 'TypeScript', source: writeTypeScript(call) },
    { lang: 'Python', label: 'Python', source: writePython(call) },
    { lang: 'Go', label: 'Go', source: writeGo(call) },
  ];
}

const key = 'order-1001';
const tag = '*';

function writeCurl({
  method,
  path,
  id,
  body,
  bodyType,
  takesKey,
  takesTag,
  answers,
  resource,
}: ClientCall): string {
  const isForm = bodyType === 'application/x-www-form-urlencoded';
  const isBare = body === undefined && (method === 'GET' || method === 'POST');
  const lines = [
    `curl -sS${method === 'POST' && body === undefined ? ' -X POST' : ''}${isBare || method === 'POST' ? '' : ` -X ${method}`} "$PAYMENTS_URL${fill(path, id)}"`,
    resource === null ? '' : `-H "Authorization: Bearer $TOKEN"`,
    isForm ? `-u "$PAYMENTS_CLIENT_ID:$PAYMENTS_CLIENT_SECRET"` : '',
    takesKey ? `-H 'Idempotency-Key: ${key}'` : '',
    takesTag ? `-H 'If-Match: ${tag}'` : '',
    answers === 'file' ? '--location --output result' : '',
    ...curlBody(body, bodyType, isForm),
  ];
  return lines.filter(Boolean).join(' \\\n  ');
}

function curlBody(body: unknown, type: string, isForm: boolean): string[] {
  if (body === undefined) return [];
  if (!isForm) return [`-H 'Content-Type: ${type}'`, `-d ${quote(JSON.stringify(body))}`];
  return Object.entries(body as Record<string, string>).map(
    ([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`,
  );
}

/** Returns a word of the shell. */
const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const fill = (path: string, id: string | null) => path.replace(/\{\w+\}/, id ?? '');

/** Operations that the client for TypeScript reaches by `request` alone. */
const withoutTypeScript = new Set(['createChargeRefund', 'deleteOperation']);

function writeTypeScript(call: ClientCall): string {
  const { resource, verb, id, body, takesKey, takesTag, answers } = call;
  const options = [takesKey ? `idempotencyKey: '${key}'` : '', takesTag ? `ifMatch: '${tag}'` : ''].filter(
    Boolean,
  );
  const shown = options.length > 0 ? `{ ${options.join(', ')} }` : '';
  if (withoutTypeScript.has(call.operationId)) {
    const given = [body === undefined ? '' : `body: ${toScript(body)}`, ...options].filter(Boolean);
    const more = given.length > 0 ? `, { ${given.join(', ')} }` : '';
    return `const answer = await client.request('${call.method}', '${fill(call.path, id)}'${more});\nconsole.log(answer.body);`;
  }
  const name = `client.${camel(resource ?? '')}.${answers === 'file' ? downloads(resource) : camel(verb)}`;
  const needsBody = body === undefined && verb === 'cancel' && shown !== '';
  const args = [
    id === null ? '' : `'${id}'`,
    body === undefined ? '' : toScript(body),
    needsBody ? '{}' : '',
    shown,
  ];
  const text = `${name}(${args.filter(Boolean).join(', ')})`;
  if (answers === 'list') return `for await (const item of ${text}) {\n  console.log(item);\n}`;
  if (answers === 'file')
    return `for await (const chunk of await ${text}) {\n  process.stdout.write(chunk);\n}`;
  return answers === 'nothing' ? `await ${text};` : `const result = await ${text};\nconsole.log(result);`;
}

const downloads = (resource: string | null) => (resource === 'operations' ? 'result' : 'download');

/** Returns an object as a program writes it: without quotes around names. */
function toScript(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/"([A-Za-z_]\w*)":/g, '$1:')
    .replaceAll(/"([^"'\\]*)"/g, "'$1'");
}

function writePython(call: ClientCall): string {
  const { resource, verb, id, body, takesKey, takesTag, answers, operationId } = call;
  const options = [takesKey ? `idempotency_key="${key}"` : '', takesTag ? `if_match="${tag}"` : ''];
  const args = [id === null ? '' : `"${id}"`, body === undefined ? '' : toPython(body), ...options];
  const isRefund = operationId === 'createChargeRefund';
  const name = isRefund
    ? 'refunds.create_for_charge'
    : `${snake(resource ?? '')}.${answers === 'file' ? downloads(resource) : snake(verb)}`;
  const text = `client.${name}(${args.filter(Boolean).join(', ')})`;
  if (answers === 'list') return `for item in ${text}:\n    print(item)`;
  if (answers === 'file')
    return `with open("result", "wb") as file:\n    for chunk in ${text}:\n        file.write(chunk)`;
  return answers === 'nothing' ? text : `result = ${text}\nprint(result)`;
}

function toPython(value: unknown): string {
  const names: Record<string, string> = { true: 'True', false: 'False', null: 'None' };
  return JSON.stringify(value, null, 4).replaceAll(
    /: (true|false|null)\b/g,
    (_all, word: string) => `: ${names[word]}`,
  );
}

function writeGo(call: ClientCall): string {
  const { resource, verb, id, body, schema, answers, operationId } = call;
  const options = [
    call.takesKey ? `payments.WithIdempotencyKey("${key}")` : '',
    call.takesTag ? `payments.WithIfMatch("${tag}")` : '',
  ].filter(Boolean);
  const isRefund = operationId === 'createChargeRefund';
  const name = isRefund
    ? 'Refunds.CreateForCharge'
    : `${pascal(resource ?? '')}.${answers === 'file' ? pascal(downloads(resource)) : pascal(verb)}`;
  const args = [
    'ctx',
    id === null ? '' : `"${id}"`,
    call.takesQuery ? `payments.${pascal(operationId)}Params{}` : '',
    answers === 'file' ? 'file' : '',
    body === undefined ? '' : 'body',
    ...options,
  ];
  const text = `client.${name}(${args.filter(Boolean).join(', ')})`;
  return `${goBody(body, schema)}${goCall(text, answers)}`;
}

/** Returns the lines that make the body. */
function goBody(body: unknown, schema: string): string {
  if (body === undefined) return '';
  return `var body payments.${schema}\nerr := json.Unmarshal([]byte(\`${JSON.stringify(body)}\`), &body)\nif err != nil {\n\treturn err\n}\n`;
}

const leave = 'if err != nil {\n\treturn err\n}';

function goCall(text: string, answers: ClientCall['answers']): string {
  if (answers === 'list')
    return `for item, err := range ${text} {\n\tif err != nil {\n\t\treturn err\n\t}\n\tfmt.Println(item)\n}`;
  if (answers === 'nothing') return `if err := ${text}; err != nil {\n\treturn err\n}`;
  if (answers === 'file')
    return `file, err := os.Create("result")\n${leave}\ndefer file.Close()\n_, err = ${text}\n${leave}`;
  return `result, err := ${text}\n${leave}\nfmt.Println(result)`;
}

const camel = (words: string) => words.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
const snake = (words: string) => words.replaceAll('-', '_');
const pascal = (words: string) => camel(words).replace(/^\w/, (letter) => letter.toUpperCase());
