import type { OpenApiDocument } from './open-api.ts';

/** Leaves out the components that nothing refers to: a document names only what its operations use. */

export function keepUsedComponents(document: OpenApiDocument): OpenApiDocument {
  const { components, ...rest } = document;
  const used = new Set<string>();
  const queue = [...listReferences({ ...rest, security: components['securitySchemes'] })];
  for (let ref = queue.pop(); ref !== undefined; ref = queue.pop()) {
    if (used.has(ref)) continue;
    used.add(ref);
    queue.push(...listReferences(find(components, ref)));
  }
  const kept = Object.entries(components).map(([kind, members]) => [
    kind,
    kind === 'securitySchemes' ? keepSchemes(members, rest) : keepMembers(kind, members, used),
  ]);
  return {
    ...rest,
    components: Object.fromEntries(kept) as OpenApiDocument['components'],
  };
}

const prefix = '#/components/';

function* listReferences(value: unknown): Iterable<string> {
  if (typeof value === 'string' && value.startsWith(prefix)) yield value.slice(prefix.length);
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) yield* listReferences(member);
}

function find(components: OpenApiDocument['components'], ref: string): unknown {
  const [kind = '', name = ''] = ref.split('/');
  return (components[kind] as Record<string, unknown> | undefined)?.[name];
}

function keepMembers(kind: string, members: object, used: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(members).filter(([name]) => used.has(`${kind}/${name}`)));
}

function keepSchemes(schemes: object, document: object): object {
  const { paths } = document as Pick<OpenApiDocument, 'paths'>;
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const named = operations.flatMap(({ security = [] }) =>
    (security as object[]).flatMap((scheme) => Object.keys(scheme)),
  );
  return Object.fromEntries(Object.entries(schemes).filter(([name]) => named.includes(name)));
}
