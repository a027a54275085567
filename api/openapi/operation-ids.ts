import type { Route } from '../http/route.ts';

/** The names of operations. Clients and the links of the viewer are made from them. */

/** Returns the name of a route: its own, or {@link buildName}. */
export function operationId(route: Pick<Route, 'method' | 'path' | 'operationId'>): string {
  return route.operationId ?? buildName(route);
}

/** Returns a name such as `createCharge`, `captureCharge`, `cancelExport`, `listChargeRefunds` or `attachPaymentMethod`. */
function buildName({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const [route = '', verb] = path.replace(/^\/v\d+\//, '').split(':');
  const segments = route.split('/');
  const nouns = segments.filter((segment) => !segment.startsWith('{'));
  const isItem = segments.at(-1)?.startsWith('{') ?? false;
  // A verb of several words includes its object.
  if (verb?.includes('-')) return camel(verb);
  if (verb) return camel([verb, ...nouns.map(singular)].join('-'));
  const owners = nouns.slice(0, -1).map(singular);
  const last = nouns.at(-1) ?? '';
  // A sub-collection of commands, such as `POST /v1/exports/{id}/cancel`.
  if (last === 'cancel') return camel([last, ...owners].join('-'));
  const isMany = method === 'GET' && !isItem && singular(last) !== last;
  return camel([prefix(method, isMany), ...owners, isMany ? last : singular(last)].join('-'));
}

function prefix(method: Route['method'], isMany: boolean): string {
  if (isMany) return 'list';
  return { GET: 'get', POST: 'create', PUT: 'replace', PATCH: 'update', DELETE: 'delete' }[method];
}

/** Returns the singular; all plurals of paths are regular. */
function singular(noun: string): string {
  if (/(?:ch|x)es$/.test(noun)) return noun.slice(0, -2);
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  return noun.endsWith('s') ? noun.slice(0, -1) : noun;
}

function camel(words: string): string {
  return words.replaceAll(/[^a-zA-Z0-9]+(\w)?/g, (_match, letter?: string) => letter?.toUpperCase() ?? '');
}
