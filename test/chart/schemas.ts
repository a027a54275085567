import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/*
 * `node --import tsx test/chart/schemas.ts FOLDER CRDS VERSION…` writes the schemas that kubeconform reads, one a kind:
 * those of each version of Kubernetes from the package in FOLDER, and those of the Prometheus operator from CRDS.
 */

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Schema = { [name: string]: Json };

/** What the chart makes: the names of the files in the package, which are those that kubeconform asks for. */
const kinds = [
  'configmap-v1',
  'cronjob-batch-v1',
  'deployment-apps-v1',
  'horizontalpodautoscaler-autoscaling-v2',
  'job-batch-v1',
  'networkpolicy-networking-v1',
  'poddisruptionbudget-policy-v1',
  'service-v1',
];
const customKinds = ['prometheusrules', 'servicemonitors'];

const [folder, customFolder, ...versions] = process.argv.slice(2);
if (!folder || !customFolder || versions.length === 0) throw new Error('Usage: FOLDER CRDS VERSION…');
const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'))!;

for (const version of versions) {
  const target = join(folder, version);
  mkdirSync(target, { recursive: true });
  const definitions = readKubernetes(version, '_definitions')['$defs'] as Record<string, Schema>;
  for (const kind of kinds) write(join(target, kind), alone(readKubernetes(version, kind), definitions));
  for (const kind of customKinds) {
    const { name, schema } = readCustom(kind);
    write(join(target, name), schema);
  }
}

function write(path: string, schema: Schema): void {
  writeFileSync(`${path}.json`, JSON.stringify(schema));
}

/** Reads a file of the wheel, which is a ZIP archive: Node reads none by itself. */
function readKubernetes(version: string, kind: string): Schema {
  const entry = `kubernetes_validate/kubernetes-json-schema/v${version}-local-strict/${kind}.json`;
  const program =
    'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))';
  const text = execFileSync('python3', ['-c', program, join(folder!, wheel), entry], { maxBuffer: 2 ** 26 });
  return JSON.parse(text.toString()) as Schema;
}

/** Returns a schema with the definitions that it refers to inside it. */
function alone(schema: Schema, definitions: Record<string, Schema>): Schema {
  const used: Record<string, Json> = {};
  const { $id: _, ...rest } = schema;
  const take = (name: string) => {
    if (name in used) return;
    // Some definitions refer to themselves.
    used[name] = null;
    used[name] = inline(definitions[name]!, take);
  };
  return { ...(inline(rest, take) as Schema), $defs: used };
}

/** Leads each reference to the definitions of the same file, and names it to `onUse`. */
function inline(value: Json, onUse: (name: string) => void): Json {
  if (Array.isArray(value)) return value.map((one) => inline(one, onUse));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key !== '$ref' || typeof inner !== 'string') return [key, inline(inner, onUse)];
      const name = inner.replace(/^.*#\/\$defs\//, '');
      onUse(name);
      return [key, `#/$defs/${name}`];
    }),
  );
}

/** Reads a resource definition of the operator. Like Kubernetes' strict schemas, it takes no member that it does not know. */
function readCustom(plural: string): { name: string; schema: Schema } {
  const file = join(customFolder!, `monitoring.coreos.com_${plural}.yaml`);
  const { spec } = parse(readFileSync(file, 'utf8')) as {
    spec: { names: { singular: string }; versions: { name: string; schema: { openAPIV3Schema: Schema } }[] };
  };
  const [version] = spec.versions;
  return {
    name: `${spec.names.singular}-monitoring-${version!.name}`,
    schema: close(version!.schema.openAPIV3Schema) as Schema,
  };
}

function close(value: Json): Json {
  if (Array.isArray(value)) return value.map(close);
  if (value === null || typeof value !== 'object') return value;
  const closed = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, close(inner)]));
  const isClosed = 'properties' in value && value['type'] === 'object' && !('additionalProperties' in value);
  // A number or a percentage: OpenAPI of Kubernetes says so by an extension.
  if (value['x-kubernetes-int-or-string'] === true) delete closed['type'];
  return isClosed ? { ...closed, additionalProperties: false } : closed;
}
