import { format } from 'prettier';
import type { Document } from '../cli/operations/document.ts';
import * as go from './go.ts';
import { readResources } from './methods.ts';
import * as python from './python.ts';
import { modules } from './resources.ts';
import * as typescript from './typescript.ts';

const pythonResources = 'python/src/payments_client/resources';

/** The files of the clients that are made from the document and are kept, by their paths below `client/`. */
export async function makeFiles(document: Document): Promise<Map<string, string>> {
  const resources = readResources(document);
  const { version } = document.info;
  const names = [...new Set(resources.map(({ module }) => module))];
  const scripts: [string, string][] = [
    ['api-version', typescript.writeVersion(version)],
    ['resources/all', typescript.writeAll(names, resources)],
    ['resources/types', typescript.writeTypes(resources, document.components.schemas)],
  ];
  const files = new Map([
    ['python/src/payments_client/_version.py', python.writeVersion(version)],
    ['go/version.gen.go', go.writeVersion(version)],
    ['go/resources.gen.go', go.writeResources(resources)],
  ]);
  for (const style of python.styles)
    files.set(`${pythonResources}/_${style.module}all.py`, python.writeAll(names, resources, style));
  for (const name of names) {
    const own = resources.filter(({ module }) => module === name);
    const about = modules[name]?.about ?? own[0]?.about ?? '';
    scripts.push([`resources/${name}`, typescript.writeModule(own)]);
    for (const style of python.styles)
      files.set(
        `${pythonResources}/${style.module}${python.snake(name)}.py`,
        python.writeModule(about, own, style),
      );
  }
  for (const [name, text] of scripts)
    files.set(
      `src/${name}.ts`,
      await format(text, { parser: 'typescript', singleQuote: true, printWidth: 110 }),
    );
  return files;
}
