import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import type { CodeSample } from '#api/openapi/code-samples.ts';
import { readDocument, type Document } from '#client/cli/operations/document.ts';
import { makeFiles } from '#client/templates/files.ts';
import { pascal } from '#client/templates/methods.ts';

const read = (path: string) => {
  const file = new URL(`../../client/${path}`, import.meta.url);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** Returns the document with one more operation, which is like that of another path. */
function withOperation(path: string, operationId: string, like: string): Document {
  const document = structuredClone(readDocument());
  const item = structuredClone(document.paths[like]) as { post: { operationId: string } };
  item.post.operationId = operationId;
  return { ...document, paths: { ...document.paths, [path]: item } };
}

/** Returns what samples of a language call: `client.charges.create(`, the resource and the method. */
function listSamples(label: string): RegExpExecArray[] {
  return Object.values(readDocument().paths)
    .flatMap((item) => Object.values(item as Record<string, { 'x-codeSamples': CodeSample[] }>))
    .flatMap((operation) => operation['x-codeSamples'].filter((sample) => sample.label === label))
    .map(({ source }) => /\bclient\.(\w+)\.(\w+)\(/.exec(source)!);
}

describe('The resources of the clients', () => {
  it('are what the document gives, in every language', async () => {
    const files = await makeFiles(readDocument());
    const stale = [...files].filter(([path, text]) => read(path) !== text).map(([path]) => path);
    assert.deepEqual(stale, [], 'run npm run openapi');
  });

  it('have the methods that the samples of the document show', async () => {
    const files = await makeFiles(readDocument());
    const code = [...files.values()].join('\n');
    const go = listSamples('Go');
    assert.ok(go.length > 70);
    for (const [, resource, method] of go)
      assert.match(code, new RegExp(String.raw`^func \(r \*${resource}\) ${method}\(`, 'm'));
    for (const [, resource = '', method] of listSamples('Python')) {
      const start = code.indexOf(`class ${pascal(resource.replaceAll('_', '-'))}(`);
      const end = code.indexOf('\nclass ', start);
      assert.match(code.slice(start, end), new RegExp(`^ {4}def ${method}\\(`, 'm'));
    }
  });

  it('gain a method in each language with an operation', async () => {
    const files = await makeFiles(
      withOperation('/v1/charges/{id}:set-aside', 'setChargeAside', '/v1/charges/{id}:capture'),
    );
    assert.match(files.get('src/resources/charges.ts')!, /^ {2}setAside\(\n {4}id: string,\n {4}params: /m);
    assert.match(
      files.get('python/src/payments_client/resources/charges.py')!,
      /^ {4}def set_aside\(self, id: str, body: types\.Capture \| None = None, \*\*options/m,
    );
    assert.match(
      files.get('go/resources.gen.go')!,
      /^func \(r \*Charges\) SetAside\(ctx context\.Context, id string, body Capture, /m,
    );
  });

  it('stand in a file of their own, if none names them', async () => {
    const files = await makeFiles(withOperation('/v1/pay-outs', 'createPayOut', '/v1/charges'));
    assert.match(
      files.get('src/resources/pay-outs.ts')!,
      /^\/\*\* A payment with a card\..*\*\/\nexport class PayOuts /m,
    );
    assert.match(files.get('src/resources/all.ts')!, /readonly payOuts: PayOuts;/);
    assert.match(
      files.get('python/src/payments_client/resources/pay_outs.py')!,
      /^class PayOuts\(Resource\):/m,
    );
    assert.match(
      files.get('python/src/payments_client/resources/_all.py')!,
      /self\.pay_outs = pay_outs\.PayOuts\(/,
    );
  });

  it('are refused where nothing says what they are', async () => {
    const document = withOperation('/v1/payouts', 'createPayout', '/v1/charges');
    const { Charge, ...schemas } = document.components.schemas;
    const { description: _, ...silent } = Charge!;
    const components = { ...document.components, schemas: { ...schemas, Charge: silent } };
    await assert.rejects(makeFiles({ ...document, components }), /^Error: Say what payouts are/);
  });
});
