/** An object somewhere in a document. */
export interface Node {
  /** Its JSON pointer. */
  at: string;
  value: Record<string, unknown>;
}

/** Members whose content is data, and not a part of the document. */
const data = new Set(['example', 'examples', 'default', 'mapping', 'if', 'then', 'else', 'enum']);

/** Returns each object of a document, except those within examples. */
export function listNodes(value: unknown, at = ''): Node[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => listNodes(item, `${at}/${index}`));
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value).filter(([name]) => !data.has(name) || at.endsWith('/properties'));
  const inner = members.flatMap(([name, member]) =>
    listNodes(member, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
  return [{ at, value: value as Record<string, unknown> }, ...inner];
}
