import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Language } from './language.ts';
import { runProgram } from './programs.ts';

/** There is no client for Java: it is checked that what `openapi-generator` makes of the document compiles. */
export const java: Language = {
  name: 'Java',
  async check({ root, folder, log }) {
    await runProgram('javac', ['-version']);
    const packages = await fetchPackages(root);
    const sources = await generate(join(packages, generator), root, folder);
    const list = join(folder, 'sources.txt');
    writeFileSync(list, sources.join('\n'));
    const imported = readdirSync(packages).filter((name) => name.endsWith('.jar') && name !== generator);
    const path = imported.map((name) => join(packages, name)).join(':');
    await runProgram('javac', [
      '-nowarn',
      '-proc:none',
      '-d',
      join(folder, 'classes'),
      '-cp',
      path,
      `@${list}`,
    ]);
    log(`${sources.length} files compile`);
  },
};

const version = '7.25.0';
const generator = `openapi-generator-cli-${version}.jar`;
const pom = fileURLToPath(new URL('java-pom.xml', import.meta.url));

/** Returns the folder of the packages. They are kept from run to run. */
async function fetchPackages(root: string): Promise<string> {
  const folder = join(root, `.local/java-${version}`);
  const isComplete = join(folder, 'complete');
  if (existsSync(isComplete)) return folder;
  mkdirSync(folder, { recursive: true });
  const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
  await runProgram('mvn', ['-q', '-B', '-f', pom, goal, `-DoutputDirectory=${folder}`]);
  writeFileSync(isComplete, '');
  return folder;
}

async function generate(jar: string, root: string, folder: string): Promise<string[]> {
  const output = join(folder, 'made');
  const from = ['-i', join(root, 'openapi.json'), '-g', 'java', '--library', 'okhttp-gson', '-o', output];
  const options = ['openApiNullable=false', 'hideGenerationTimestamp=true', 'useJakartaEe=false'];
  const parts = ['modelDocs', 'apiDocs', 'modelTests', 'apiTests'].map((part) => `${part}=false`);
  await runProgram('java', [
    '-jar',
    jar,
    'generate',
    ...from,
    `--additional-properties=${options.join(',')}`,
    '--global-property',
    ['models', 'apis', 'supportingFiles', ...parts].join(','),
  ]);
  const sources = join(output, 'src/main/java');
  return readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.java'))
    .map((name) => join(sources, name));
}
